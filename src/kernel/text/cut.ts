/** Marks where a text was cut. Before a mark of ours, the redactor also hides what may be the beginning of a secret. */
export const cutMark = '…';

/**
 * Which marks of a text are ours: none, the last one, or all. Before a mark that others may have written, or in a text
 * whose cut they could predict, only whole secrets are hidden: otherwise they could guess a secret piece by piece by
 * writing beginnings and checking which are hidden.
 */
export type OwnMarks = 'none' | 'last' | 'all';

/**
 * Cuts a text to at most so many UTF-16 units, including the mark. Every text that is shown must be cut with the mark.
 */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - cutMark.length)}${cutMark}`;
}
