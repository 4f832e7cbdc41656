import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';

/** A terminal color sequence. */
const color = String.raw`\x1b\[[\d;]*m`;
const beginning = new RegExp(`^(?:${color}|[ \t])*`);
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
  const [before = ''] = beginning.exec(line) ?? [];
  const words = line.slice(before.length).trimStart();
  if (words === '') return safe``;
  return safe`${unsafeText(before.replace(colors, '').slice(0, most))}${clean(words)}`;
}
