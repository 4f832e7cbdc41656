import type { Host } from './host.ts';

/**
 * Makes texts printable of which a service may have sent very many: between two of them timers and signals have their
 * turn, and the deadline is looked at.
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
