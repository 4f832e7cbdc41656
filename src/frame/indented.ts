import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';

/** A change of colour, which a line may begin with. */
const colour = String.raw`\x1b\[[\d;]*m`;
const beginning = new RegExp(`^(?:${colour}|[ \t])*`);
const colours = new RegExp(colour, 'g');

/**
 * A line with the space before it, which means something in code, in lists and in traces; cleaning would take it away.
 *
 * @param clean makes the words printable and free of secrets
 * @param most the most characters of that space that are kept
 */
export function cleanIndented(
  line: string,
  clean: (words: string) => SafeText,
  most = Number.POSITIVE_INFINITY,
): SafeText {
  const [before = ''] = beginning.exec(line) ?? [];
  const words = line.slice(before.length).trimStart();
  if (words === '') return safe``;
  return safe`${unsafeText(before.replace(colours, '').slice(0, most))}${clean(words)}`;
}
