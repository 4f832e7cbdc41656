import { type SafeText, safe, shorten, unsafeText } from '../../kernel/text/safe.ts';
import type { Difference } from './content.ts';
import { longestShown, type Sanitize, shown } from './record.ts';

/** The number of characters shown before the first difference. */
const before = 16;

/** The first index where two texts differ. */
function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

/** Two texts, shortened so that their difference is visible. */
function shownApart(from: SafeText, to: SafeText): [SafeText, SafeText] {
  const [one, other] = [shown(from), shown(to)];
  if (one !== other) return [one, other];
  if (from === to) return [one, safe`${other} (different in a hidden part)`];
  const start = Math.max(0, firstDifference(from, to) - before);
  const cut = (text: SafeText) =>
    safe`"…${shorten(unsafeText(text.slice(start)), longestShown - 1)}"`;
  return [cut(from), cut(to)];
}

/**
 * A difference as text: `ttl: 300 → 60`.
 *
 * @param sanitize makes outside text printable and free of secrets; applied before shortening, because a part of a
 * secret could no longer be recognized
 */
export function describeDifference(
  { field, from, to }: Omit<Difference, 'field'> & { field: string },
  sanitize: Sanitize,
): SafeText {
  if (typeof from === 'string' && typeof to === 'string') {
    const [one, other] = shownApart(sanitize(from), sanitize(to));
    return safe`${unsafeText(field)}: ${one} → ${other}`;
  }
  const old = from === undefined ? safe`none` : shown(from, sanitize);
  return safe`${unsafeText(field)}: ${old} → ${shown(to, sanitize)}`;
}
