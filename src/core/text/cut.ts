/** Stands where a text was cut. The redactor hides before it what could be the beginning of a secret. */
export const cutMark = '…';

/**
 * Cuts a text to at most so many UTF-16 units, the mark included. A cut leaves this mark behind, wherever it is
 * made: a text may only be cut unmarked if nobody is ever shown what is left of it.
 */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - cutMark.length)}${cutMark}`;
}
