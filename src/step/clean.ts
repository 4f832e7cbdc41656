import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import type { Host } from './step.ts';

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

/** A terminal color sequence. */
const color = String.raw`\x1b\[[\d;]*m`;
const start = new RegExp(`^(?:${color}|[ \t])*`);
const colors = new RegExp(color, 'g');

/**
 * Cleans a line but keeps its indentation, which has a meaning in code, lists and traces.
 *
 * @param clean makes the rest of the line printable and free of secrets
 * @param most the most characters of indentation that are kept
 */
export function cleanIndented(
  line: string,
  clean: (words: string) => SafeText,
  most = Number.POSITIVE_INFINITY,
): SafeText {
  const [before = ''] = start.exec(line) ?? [];
  const words = line.slice(before.length).trimStart();
  if (words === '') return safe``;
  return safe`${unsafeText(before.replace(colors, '').slice(0, most))}${clean(words)}`;
}
