import { clean, printable } from './clean.ts';
import type { Redact } from './redact.ts';

/** How much of a text is looked at, in UTF-16 units: far more than is ever shown. */
const longest = 65_536;

/**
 * Makes what turns outside text into a line that may be shown: redacted, cleaned and cut. It is redacted
 * before and after control characters are taken out, because either may hide a secret, and cut last.
 *
 * @param max the most characters that are kept
 */
export function createPresent(redact: Redact, max?: number): (text: string) => string {
  return (text) => clean(redact(printable(redact(text.slice(0, longest)))), max);
}
