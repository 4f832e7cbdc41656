import { createHash } from 'node:crypto';

/** What a comment's hidden marker says: which comment it is, and which run wrote it last. */
export interface Marker {
  /** The input `comment-key`. */
  key: string;
  runId: string;
  runAttempt: string;
}

/** At the very start of a comment: a marker further down was quoted by somebody. */
const pattern = /^<!-- site-deploy key=(\S*) run=(\d+) attempt=(\d+) -->(?=\r?\n|$)/;

/** The most characters of an encoded key that stand in a comment as they are. */
const longestKey = 200;

/**
 * Encoded so that nothing in a key can end the HTML comment. A long key is replaced by its hash, whose "-" no
 * encoded key holds.
 */
function encodeKey(key: string): string {
  const encoded = encodeURIComponent(key.toWellFormed()).replaceAll('-', '%2D');
  if (encoded.length <= longestKey) return encoded;
  return `sha256-${createHash('sha256').update(encoded).digest('hex')}`;
}

/** The marker as the first line of a comment. */
export function writeMarker({ key, runId, runAttempt }: Marker): string {
  return `<!-- site-deploy key=${encodeKey(key)} run=${Number(runId) || 0} attempt=${Number(runAttempt) || 0} -->`;
}

/** Reads the marker of a comment with this key; undefined if the comment is not that one. */
export function readMarker(body: string, key: string): Marker | undefined {
  const [, encoded, runId = '', runAttempt = ''] = pattern.exec(body) ?? [];
  return encoded === encodeKey(key) ? { key, runId, runAttempt } : undefined;
}

/** True if `one` was written by a later run than `other`, or by a later attempt of the same. */
export function isNewer(one: Marker, other: Marker): boolean {
  const [run, otherRun] = [BigInt(one.runId || 0), BigInt(other.runId || 0)];
  if (run !== otherRun) return run > otherRun;
  return Number(one.runAttempt) > Number(other.runAttempt);
}
