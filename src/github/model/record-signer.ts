import { isSha, type Sha } from '../../contract/commit.ts';
import { cryptography, isRunId } from '../../kernel/cryptography.ts';
import { asObject, type JsonObject } from '../../kernel/json.ts';

/** The facts of a release that GitHub does not store itself. */
export interface ReleaseFacts {
  /** The deadline of its run, in milliseconds since the epoch. */
  until: number;
  /** The pull request whose preview it is. */
  pullRequest?: number | undefined;
  /** The id of its run; absent in old records. */
  runId?: string | undefined;
  /** True if its commit was chosen by `commit-sha`. */
  isByHand?: boolean | undefined;
}

/** The record of a started release. */
export interface ReleaseRecord extends ReleaseFacts {
  commit: Sha;
  environment: string;
  /** Distinguishes deployments to one environment. */
  key: string;
  isPreview: boolean;
  /** Unique to the run and the step. */
  mark: string;
}

/** The signed part of a record's payload. */
export interface SignedRecord extends ReleaseFacts {
  isPreview: boolean;
  /** 64 hex digits. */
  signature: string;
}

/**
 * The result of a release: good, with or without passed checks; rolled back by its own run to another commit; without
 * effect on what was live; or another one. A project id is in lower case.
 */
export type ReleaseEnd = (
  | { kind: 'good'; projectId: string; isChecked: boolean }
  /** `isSeen`: the other commit is confirmed to be live again. */
  | { kind: 'rolled-back'; projectId: string; restored: Sha; isConfirmed: boolean }
  | { kind: 'undeployed' }
  | { kind: 'ended' }
) & {
  /**
   * The id of the record of the previous good release of its series, 0 if there was none: a deleted record leaves a gap.
   * Absent if that was unknown.
   */
  before?: number;
};

/** A deployment as GitHub returns it. */
interface ShownRecord {
  sha: string;
  environment: string;
  payload: JsonObject;
}

/** Signs records, and checks the signatures. */
export interface RecordSigner {
  sign(record: ReleaseRecord): SignedRecord;
  /** The record in a deployment; undefined if its signature is wrong. */
  verify(shown: ShownRecord): ReleaseRecord | undefined;
  /** A URL fragment with the signed result of a release. */
  signEnd(deploymentId: number, record: ReleaseRecord, end: ReleaseEnd): string;
  /** The result in the URL of a status; undefined if its signature is wrong. */
  verifyEnd(deploymentId: number, record: ReleaseRecord, address: string): ReleaseEnd | undefined;
}

const fragment =
  /#site-deploy\.(?:(ended|undeployed)|(checked|unchecked)\.([0-9a-f-]{36})|(rolled-back|rolling-back)\.([0-9a-f-]{36})\.([0-9a-f]{40}))(?:\.after-(\d{1,15}))?\.([0-9a-f]{64})$/;

function readRecord({ sha, environment, payload }: ShownRecord): ReleaseRecord | undefined {
  const { key, mark } = payload;
  const { until, pullRequest, isPreview, runId, isByHand } = asObject(payload['record']) ?? {};
  if (!isSha(sha) || typeof key !== 'string' || typeof mark !== 'string') return undefined;
  if (typeof until !== 'number') return undefined;
  return {
    commit: sha,
    environment,
    key,
    isPreview: isPreview === true,
    mark,
    until,
    pullRequest: typeof pullRequest === 'number' ? pullRequest : undefined,
    runId: isRunId(runId) ? runId : undefined,
    isByHand: isByHand === true ? true : undefined,
  };
}

function readEnd(address: string): { end: ReleaseEnd; mac: string } | undefined {
  const [, other, word, good, rolledBack, project = '', to, after, mac = ''] =
    fragment.exec(address) ?? [];
  const before = after !== undefined && { before: Number(after) };
  if (other === 'ended' || other === 'undeployed') return { end: { kind: other, ...before }, mac };
  if (good !== undefined) {
    const isChecked = word === 'checked';
    return { end: { kind: 'good', projectId: good, isChecked, ...before }, mac };
  }
  if (!isSha(to)) return undefined;
  const isConfirmed = rolledBack === 'rolled-back';
  return {
    end: { kind: 'rolled-back', projectId: project, restored: to, isConfirmed, ...before },
    mac,
  };
}

function textOf(end: ReleaseEnd): string {
  const { kind, before } = end;
  const after = before === undefined ? '' : `.after-${before}`;
  if (kind === 'good') return `${end.isChecked ? 'checked' : 'unchecked'}.${end.projectId}${after}`;
  if (kind !== 'rolled-back') return `${kind}${after}`;
  const word = end.isConfirmed ? 'rolled-back' : 'rolling-back';
  return `${word}.${end.projectId}.${end.restored}${after}`;
}

/**
 * HMAC-SHA256 over the facts of a record. Any workflow of the repository with `deployments: write` can create deployments
 * and statuses, so that only signed facts count: the start of a release, in the payload, and its result, in the URL of a
 * status. The latter includes the deployment's id, so that it is invalid in another deployment.
 */
export function recordSignerOf(key: Buffer, repository: string): RecordSigner {
  const hmac = (...parts: readonly unknown[]) =>
    cryptography()
      .createHmac('sha256', key)
      .update(JSON.stringify([repository, ...parts]))
      .digest('hex');
  const isSame = (given: unknown, expected: string) =>
    typeof given === 'string' &&
    given.length === expected.length &&
    cryptography().timingSafeEqual(Buffer.from(given, 'latin1'), Buffer.from(expected, 'latin1'));
  const factsOf = (record: ReleaseRecord) => {
    const { commit, environment, key: seriesKey, isPreview, mark, until } = record;
    const { pullRequest = null, runId, isByHand } = record;
    const facts = [commit, environment, seriesKey, isPreview, mark, until, pullRequest];
    // Old records have a shorter list.
    return runId === undefined && isByHand !== true
      ? facts
      : [...facts, runId ?? null, isByHand === true];
  };
  const signatureOf = (record: ReleaseRecord) => hmac('begun', ...factsOf(record));
  const endMac = (deploymentId: number, record: ReleaseRecord, end: ReleaseEnd) =>
    hmac('ended', deploymentId, ...factsOf(record), textOf(end));
  return {
    sign: (record) => {
      const { until, pullRequest, isPreview, runId, isByHand } = record;
      return {
        isPreview,
        until,
        pullRequest,
        runId,
        isByHand: isByHand === true ? true : undefined,
        signature: signatureOf(record),
      };
    },
    verify: (shown) => {
      const record = readRecord(shown);
      const given = asObject(shown.payload['record'])?.['signature'];
      return record !== undefined && isSame(given, signatureOf(record)) ? record : undefined;
    },
    signEnd: (deploymentId, record, end) =>
      `#site-deploy.${textOf(end)}.${endMac(deploymentId, record, end)}`,
    verifyEnd: (deploymentId, record, address) => {
      const { end, mac } = readEnd(address) ?? {};
      return end && isSame(mac, endMac(deploymentId, record, end)) ? end : undefined;
    },
  };
}

/** How much later than its deadline a run may end, in milliseconds: it updates GitHub, and clocks differ. */
const grace = 60_000;

/** True if the run of a release without a result may still be in progress, by a clock in milliseconds. */
export const mayBeGoing = ({ until }: ReleaseFacts, now: number): boolean => now < until + grace;
