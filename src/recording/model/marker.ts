import { cryptography } from '../../kernel/cryptography.ts';
import type { SafeText } from '../../kernel/text/safe.ts';

/** What a comment's hidden marker says: which comment it is, and which run wrote it last. */
export interface Marker {
  /** The input `comment-key`. */
  key: string;
  runId: string;
  runAttempt: string;
  /** See {@link MarkerSeal}; absent if nobody has signed it. */
  mark?: string;
}

/** At the very start of a comment: a marker further down was quoted by somebody. */
const pattern =
  /^<!-- site-deploy key=(\S*) run=(\d+) attempt=(\d+)(?: mark=([0-9a-f]{32}))? -->(?=\r?\n|$)/;

/** The most characters of an encoded key that stand in a comment as they are. */
const longestKey = 200;

/**
 * Encoded so that nothing in a key can end the HTML comment. A long key is replaced by its hash, whose "-" no
 * encoded key holds.
 */
function encodeKey(key: string): string {
  const encoded = encodeURIComponent(key.toWellFormed()).replaceAll('-', '%2D');
  if (encoded.length <= longestKey) return encoded;
  return `sha256-${cryptography().createHash('sha256').update(encoded).digest('hex')}`;
}

/** The marker as the first line of a comment. */
export function writeMarker({ key, runId, runAttempt, mark }: Marker): string {
  const signed = mark === undefined ? '' : ` mark=${mark}`;
  return `<!-- site-deploy key=${encodeKey(key)} run=${Number(runId) || 0} attempt=${Number(runAttempt) || 0}${signed} -->`;
}

/** Reads the marker of a comment with this key; undefined if the comment is not that one. */
export function readMarker(body: string, key: string): Marker | undefined {
  const [, encoded, runId = '', runAttempt = '', mark] = pattern.exec(body) ?? [];
  if (encoded !== encodeKey(key)) return undefined;
  return { key, runId, runAttempt, ...(mark === undefined ? {} : { mark }) };
}

/** Signs the heads of the comments on one issue or pull request, and knows those that are signed. */
export interface MarkerSeal {
  sign(marker: Marker, live: LivePreview | undefined): Marker;
  isSigned(marker: Marker, live: LivePreview | undefined): boolean;
}

/**
 * Makes the seal of an issue's or a pull request's comments: HMAC-SHA256 over repository, number, key, run, attempt and
 * the preview that the comment calls live. Whoever has a comment written under the workflow's own name can write a marker with any run into it, and one that
 * says to be newer than all runs would keep them silent.
 *
 * @param key 32 bytes
 */
export function markerSeal(key: Buffer, repository: string, number: number): MarkerSeal {
  const markOf = ({ key: name, runId, runAttempt }: Marker, live?: LivePreview): string => {
    const written = [name, Number(runId) || 0, Number(runAttempt) || 0];
    return cryptography()
      .createHmac('sha256', key)
      .update(JSON.stringify([repository, number, ...written, live?.url ?? '', live?.commit ?? '']))
      .digest('hex')
      .slice(0, 32);
  };
  return {
    sign: (marker, live) => ({ ...marker, mark: markOf(marker, live) }),
    isSigned: (marker, live) => marker.mark === markOf(marker, live),
  };
}

/** A run's id as a number; 0, as in a marker, if a runner of another kind has other ids. */
const orderOf = (runId: string): bigint => (/^\d+$/.test(runId) ? BigInt(runId) : 0n);

/** True if `one` was written by a later run than `other`, or by a later attempt of the same. */
export function isNewer(one: Marker, other: Marker): boolean {
  const [run, otherRun] = [orderOf(one.runId), orderOf(other.runId)];
  if (run !== otherRun) return run > otherRun;
  return Number(one.runAttempt) > Number(other.runAttempt);
}

/** The actions that comment their plan. */
export type Planner = 'deploy' | 'domains' | 'env-sync';

/**
 * The key of a plan's comment: no input can hold what parts it, so that no other comment has it, whatever its
 * `comment-key`.
 */
export const planKey = (action: Planner, key: string): string => `${action}\0${key}`;

/** A preview that was live, and the commit that it showed. */
export interface LivePreview {
  url: SafeText;
  commit: SafeText;
}
