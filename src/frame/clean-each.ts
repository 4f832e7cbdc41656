import type { Host } from './host.ts';

/**
 * Cleans a list that may be very long: between two items timers and signals run, and the deadline is checked.
 *
 * @throws the run's signal's reason
 */
export async function cleanEach<One, Cleaned>(
  host: Host,
  all: readonly One[],
  clean: (one: One) => Cleaned,
): Promise<Cleaned[]> {
  const cleaned: Cleaned[] = [];
  for (const one of all) {
    cleaned.push(clean(one));
    await host.drained();
    host.signal.throwIfAborted();
  }
  return cleaned;
}
