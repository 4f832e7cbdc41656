/** Stands where a text was cut. The redactor hides before it what could be the beginning of a secret, if it is ours. */
export const cutMark = '…';

/**
 * Which marks of a text are ours: none, the one that it ends in, or all. Before a mark that others may have written,
 * or in a text whose cut they could foresee, nothing is hidden that is not a secret as a whole: they could find out a
 * secret piece by piece by writing beginnings and looking which are hidden.
 */
export type OwnMarks = 'none' | 'last' | 'all';

/**
 * Cuts a text to at most so many UTF-16 units, the mark included. A cut leaves this mark behind, wherever it is
 * made: a text may only be cut unmarked if nobody is ever shown what is left of it.
 */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - cutMark.length)}${cutMark}`;
}
