/**
 * Reads a `Retry-After` header: seconds, or a date.
 *
 * @param now milliseconds since the epoch
 * @returns milliseconds to wait, or undefined if the header says nothing that can be read
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined || header.trim() === '') return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
