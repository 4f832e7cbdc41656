import type { Normal } from './normal.ts';

/** `v=spf1`, `v=DMARC1`: the version is part of what such a text is. */
const versionTag = /^v=[^\s;]+/i;
/** `google-site-verification=`: the name of what follows. */
const nameTag = /^[a-z0-9][a-z0-9._-]*=/i;

/**
 * What a text says at its begin that it is for: `v=spf1`, `v=DMARC1`, `name=`.
 *
 * @returns in lower case; undefined if it does not say, or is no text
 */
export function textTag({ type, readings: [text = ''] }: Normal): string | undefined {
  if (type !== 'TXT') return undefined;
  const begin = text.trimStart().slice(0, 256);
  return (versionTag.exec(begin) ?? nameTag.exec(begin))?.[0].toLowerCase();
}
