import type { Sha } from '../../contract/commit.ts';
import { cryptography } from '../../kernel/cryptography.ts';
import type { SafeText } from '../../kernel/text/safe.ts';

/** A comment's hidden marker: which comment it is, and which run wrote it last. */
export interface Marker {
  /** Which comment of the issue or pull request it is, such as a project's id. */
  key: string;
  runId: string;
  runAttempt: string;
  /** In a drift report's issue: a digest of the drift, or that there is none. */
  drift?: string | undefined;
  /** The signature, see {@link MarkerSigner}; absent if it is not signed. */
  mark?: string | undefined;
}

/** At the very start of a comment: a marker further down is a quotation. */
const pattern =
  /^<!-- site-deploy key=(\S*) run=(\d+) attempt=(\d+)(?: drift=([0-9a-f]{32}|none))?(?: mark=([0-9a-f]{32}))? -->(?=\r?\n|$)/;

/** The maximum length of an encoded key that is not replaced by its hash. */
const longestKey = 200;

/**
 * Encodes a key so that it can't end the HTML comment. A long key is replaced by its hash, which contains a "-", unlike
 * any encoded key.
 */
function encodeKey(key: string): string {
  const encoded = encodeURIComponent(key.toWellFormed()).replaceAll('-', '%2D');
  if (encoded.length <= longestKey) return encoded;
  return `sha256-${cryptography().createHash('sha256').update(encoded).digest('hex')}`;
}

/** The hidden first line of a comment, by which later runs recognize it. */
export function writeMarker({ key, runId, runAttempt, drift, mark }: Marker): string {
  const found = drift === undefined ? '' : ` drift=${drift}`;
  const signed = mark === undefined ? '' : ` mark=${mark}`;
  return `<!-- site-deploy key=${encodeKey(key)} run=${Number(runId) || 0} attempt=${Number(runAttempt) || 0}${found}${signed} -->`;
}

/** Reads the marker of a comment; undefined if the comment has another key or none. */
export function readMarker(body: string, key: string): Marker | undefined {
  const [, encoded, runId = '', runAttempt = '', drift, mark] = pattern.exec(body) ?? [];
  if (encoded !== encodeKey(key)) return undefined;
  return { key, runId, runAttempt, drift, mark };
}

/** Signs the hidden lines of the comments on one issue or pull request, and checks the signatures. */
export interface MarkerSigner {
  sign(marker: Marker, live: LivePreview | undefined): Marker;
  isSigned(marker: Marker, live: LivePreview | undefined): boolean;
}

/**
 * HMAC-SHA256 over repository, number, key, run, attempt, live preview and drift. Another workflow can write comments as
 * the same author, and a forged marker with a newer run would stop all later updates.
 *
 * @param key 32 bytes
 */
export function markerSigner(key: Buffer, repository: string, number: number): MarkerSigner {
  const markOf = ({ key: name, runId, runAttempt, drift }: Marker, live?: LivePreview): string => {
    const run = [Number(runId) || 0, Number(runAttempt) || 0];
    const written = [repository, number, name, ...run, live?.url ?? '', live?.commit ?? ''];
    // Comments were signed before there was drift.
    if (drift !== undefined) written.push(drift);
    return cryptography()
      .createHmac('sha256', key)
      .update(JSON.stringify(written))
      .digest('hex')
      .slice(0, 32);
  };
  return {
    sign: (marker, live) => ({ ...marker, mark: markOf(marker, live) }),
    isSigned: (marker, live) => marker.mark === markOf(marker, live),
  };
}

/** A run's id as a number; 0, as in a marker, if the runner has other ids. */
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
 * The key of a plan's comment. No input can contain the separator, so that no template of a preview gives the same key.
 */
export const planKey = (action: Planner, key: string): string => `${action}\0${key}`;

/** A live preview, and its commit. */
export interface LivePreview {
  url: SafeText;
  commit: Sha;
}
