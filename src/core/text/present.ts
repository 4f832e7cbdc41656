import { clean, printable } from './clean.ts';
import { cut } from './cut.ts';
import type { Redact } from './redact.ts';

/** How much of a text is looked at, in UTF-16 units: far more than is ever shown. */
const longest = 65_536;

/**
 * Makes what turns outside text into a line that may be shown: redacted, cleaned and cut. It is redacted
 * before and after control characters are taken out, because either may hide a secret, and cut to what is shown
 * last.
 *
 * @param max the most characters that are kept
 */
export function createPresent(redact: Redact, max?: number): (text: string) => string {
  return (text) => {
    const redacted = redact(cut(text, longest));
    const line = printable(redacted);
    return clean(line === redacted ? line : redact(line), max);
  };
}
