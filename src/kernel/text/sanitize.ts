import { clean, printable } from './clean.ts';
import { cut } from './cut.ts';
import type { Redact } from './redact.ts';
import type { SafeText, Sanitize } from './safe.ts';

export type { Sanitize } from './safe.ts';

/** How much of a text is read, in UTF-16 units: far more than is ever shown. */
const longest = 65_536;

/**
 * Makes the function that turns outside text into a line that may be shown: redacted, cleaned and cut. It redacts before
 * and after removing control characters, because either may hide a secret, and cuts last. Only our own mark counts as
 * a cut (see `OwnMarks`).
 *
 * @param max the most characters kept
 */
export function createSanitize(redact: Redact, max?: number): Sanitize {
  const sanitize: Sanitize = (text, isCut = false) => {
    const own = isCut || text.length > longest ? 'last' : 'none';
    const redacted = redact(cut(text, longest), own);
    const line = printable(redacted);
    return clean(line === redacted ? line : redact(line, own), max) as SafeText;
  };
  const { freeText } = redact;
  return freeText === undefined
    ? sanitize
    : Object.assign(sanitize, { freeText: createSanitize(freeText, max) });
}
