import { isSha, type Sha } from '../../contract/commit.ts';
import { cryptography } from '../../kernel/cryptography.ts';
import { isRunId } from '../../kernel/idempotency.ts';
import { asObject, type JsonObject } from '../../kernel/json.ts';

/** What is known of a release before it is recorded, beside what GitHub keeps itself. */
export interface ReleaseFacts {
  /** Until when its run may still be going, in milliseconds since the epoch. */
  until: number;
  /** The pull request whose preview it is. */
  pullRequest?: number | undefined;
  /** The git tree of its commit, where that was known without a request. */
  tree?: Sha | undefined;
  /** The id of its run; absent in a record that was made before this was kept. */
  runId?: string | undefined;
  /** Somebody chose its commit by `commit-sha`. */
  isByHand?: boolean | undefined;
}

/** What a record of ours says of a release that was begun. */
export interface ReleaseRecord extends ReleaseFacts {
  commit: Sha;
  environment: string;
  /** Tells apart what is deployed to one environment. */
  key: string;
  isPreview: boolean;
  /** Tells the run and the step from every other. */
  mark: string;
}

/** What a record's payload holds of that, signed. */
export interface SignedRecord extends ReleaseFacts {
  isPreview: boolean;
  /** 64 hex digits. */
  seal: string;
}

/**
 * How a release ended: well, with whether all of its checks held; undone by its own run, which went back to another
 * commit; without any effect on what was live; or in another way. A project is in lower case.
 */
export type ReleaseEnd = (
  | { kind: 'good'; projectId: string; isChecked: boolean }
  /** `isSeen`: the other commit was seen live again. */
  | { kind: 'rolled-back'; projectId: string; restored: Sha; isSeen: boolean }
  | { kind: 'undeployed' }
  | { kind: 'ended' }
) & {
  /**
   * The id of the record of the good release before it at its place, 0 if there was none: whoever deletes a record
   * makes a gap. Absent where that was not known.
   */
  before?: number;
};

/** A deployment as GitHub shows it. */
export interface ShownRecord {
  sha: string;
  environment: string;
  payload: JsonObject;
}

/** Signs our records, and tells them from what others wrote. */
export interface RecordSeal {
  sign(record: ReleaseRecord): SignedRecord;
  /** What a deployment says; undefined if nobody with the key has recorded it. */
  open(shown: ShownRecord): ReleaseRecord | undefined;
  /** The fragment of an address that tells how a record's release ended. */
  signEnd(deploymentId: number, record: ReleaseRecord, end: ReleaseEnd): string;
  /** What the address of a status tells of its record's end; undefined if nobody with the key has written it. */
  openEnd(deploymentId: number, record: ReleaseRecord, address: string): ReleaseEnd | undefined;
}

const fragment =
  /#site-deploy\.(?:(ended|undeployed)|(checked|unchecked)\.([0-9a-f-]{36})|(rolled-back|rolling-back)\.([0-9a-f-]{36})\.([0-9a-f]{40}))(?:\.after-(\d{1,15}))?\.([0-9a-f]{64})$/;

function readRecord({ sha, environment, payload }: ShownRecord): ReleaseRecord | undefined {
  const { key, mark } = payload;
  const { until, pullRequest, tree, isPreview, runId, isByHand } =
    asObject(payload['record']) ?? {};
  if (!isSha(sha) || typeof key !== 'string' || typeof mark !== 'string') return undefined;
  if (typeof until !== 'number') return undefined;
  return {
    commit: sha,
    environment,
    key,
    isPreview: isPreview === true,
    mark,
    until,
    ...(typeof pullRequest === 'number' && { pullRequest }),
    ...(isSha(tree) && { tree }),
    ...(isRunId(runId) && { runId }),
    ...(isByHand === true && { isByHand }),
  };
}

function readEnd(address: string): { end: ReleaseEnd; mac: string } | undefined {
  const [, other, word, good, undone, project = '', to, after, mac = ''] =
    fragment.exec(address) ?? [];
  const before = after !== undefined && { before: Number(after) };
  if (other === 'ended' || other === 'undeployed') return { end: { kind: other, ...before }, mac };
  if (good !== undefined) {
    const isChecked = word === 'checked';
    return { end: { kind: 'good', projectId: good, isChecked, ...before }, mac };
  }
  if (!isSha(to)) return undefined;
  const isSeen = undone === 'rolled-back';
  return { end: { kind: 'rolled-back', projectId: project, restored: to, isSeen, ...before }, mac };
}

function wordsOf(end: ReleaseEnd): string {
  const { kind, before } = end;
  const after = before === undefined ? '' : `.after-${before}`;
  if (kind === 'good') return `${end.isChecked ? 'checked' : 'unchecked'}.${end.projectId}${after}`;
  if (kind !== 'rolled-back') return `${kind}${after}`;
  const word = end.isSeen ? 'rolled-back' : 'rolling-back';
  return `${word}.${end.projectId}.${end.restored}${after}`;
}

/**
 * Makes the seal of a repository's records: HMAC-SHA256 over all that a record says. Any workflow of a repository that
 * has the grant can make deployments and set their statuses, so that only what the key has signed counts: that a
 * release was begun, in the payload, and how it ended, in the address of a status. The latter names the deployment, so
 * that it says nothing of another one to which it is copied.
 */
export function recordSealOf(key: Buffer, repository: string): RecordSeal {
  const hmac = (...parts: readonly unknown[]) =>
    cryptography()
      .createHmac('sha256', key)
      .update(JSON.stringify([repository, ...parts]))
      .digest('hex');
  const isSame = (given: unknown, wanted: string) =>
    typeof given === 'string' &&
    given.length === wanted.length &&
    cryptography().timingSafeEqual(Buffer.from(given, 'latin1'), Buffer.from(wanted, 'latin1'));
  const factsOf = (record: ReleaseRecord) => {
    const { commit, environment, key: place, isPreview, mark, until } = record;
    const { pullRequest = null, tree = null, runId, isByHand } = record;
    const facts = [commit, environment, place, isPreview, mark, until, pullRequest, tree];
    // Records that were made before these were kept have a shorter list.
    return runId === undefined && isByHand !== true
      ? facts
      : [...facts, runId ?? null, isByHand === true];
  };
  const sealFor = (record: ReleaseRecord) => hmac('begun', ...factsOf(record));
  const endMac = (deploymentId: number, record: ReleaseRecord, end: ReleaseEnd) =>
    hmac('ended', deploymentId, ...factsOf(record), wordsOf(end));
  return {
    sign: (record) => {
      const { until, pullRequest, tree, isPreview, runId, isByHand } = record;
      return {
        isPreview,
        until,
        ...(pullRequest !== undefined && { pullRequest }),
        ...(tree !== undefined && { tree }),
        ...(runId !== undefined && { runId }),
        ...(isByHand === true && { isByHand }),
        seal: sealFor(record),
      };
    },
    open: (shown) => {
      const record = readRecord(shown);
      const given = asObject(shown.payload['record'])?.['seal'];
      return record !== undefined && isSame(given, sealFor(record)) ? record : undefined;
    },
    signEnd: (deploymentId, record, end) =>
      `#site-deploy.${wordsOf(end)}.${endMac(deploymentId, record, end)}`,
    openEnd: (deploymentId, record, address) => {
      const { end, mac } = readEnd(address) ?? {};
      return end && isSame(mac, endMac(deploymentId, record, end)) ? end : undefined;
    },
  };
}

/** How much later than a run's own deadline it may end, in milliseconds: GitHub is told, and clocks differ. */
const grace = 60_000;

/** True if the run of a release that nobody has ended may still be going, by a clock in milliseconds. */
export const mayBeGoing = ({ until }: ReleaseFacts, now: number): boolean => now < until + grace;
