/** `Sun, 06 Nov 1994 08:49:37 GMT`, or ISO 8601. */
const datePattern = /^(?:[A-Z][a-z]{2,8},? |\d{4}-\d\d-\d\d)/;

/**
 * Reads a `Retry-After` header: seconds, or a date.
 *
 * @param now milliseconds since the epoch
 * @returns milliseconds to wait, 0 for a date in the past and infinite for a number beyond all others; or undefined
 * if the header says nothing that can be read
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1000;
  const date = datePattern.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
