import { closestMatch } from 'leven';

/** Longer words are no misspellings of any word that we know. */
const longest = 40;

/**
 * The known word that somebody may have meant: one letter in three may differ, four at most.
 *
 * @returns `; did you mean "…"?`, or an empty text if no known word is near. It never holds the given word.
 */
export function suggestion(given: string, known: readonly string[]): string {
  if (given.length > longest) return '';
  const maxDistance = Math.min(4, Math.ceil(given.length / 3));
  const nearest = closestMatch(given.toLowerCase(), known, { maxDistance });
  return nearest === undefined ? '' : `; did you mean "${nearest}"?`;
}
