import type { Octokit } from './api.ts';
import { ended, listAllStatuses } from './deployment-status.ts';
import { type DeploymentPlace, listDeployments, type MadeDeployment } from './github-deployment.ts';
import type { RecordSeal, ReleaseRecord } from './model/record-seal.ts';

/** The number of latest records that are searched for claims and ends. */
const mostRecords = 5;

/** A record of this action that may contain a claim. */
export interface ClaimRecord {
  id: number;
  claim: unknown;
}

/**
 * The deployments with our signature, newest first by their signed time, which a copy can't change. The oldest deployment
 * of each run counts.
 *
 * @param made newest first
 */
export function claimRecordsOf(made: readonly MadeDeployment[], seal: RecordSeal): ClaimRecord[] {
  const first = new Map<string, ClaimRecord & { record: ReleaseRecord }>();
  for (const { id, ...shown } of made) {
    const record = seal.open(shown);
    if (record !== undefined) first.set(record.mark, { id, record, claim: shown.payload['claim'] });
  }
  return [...first.values()].toSorted((one, other) => other.record.until - one.record.until);
}

export interface KeptClaim {
  claim: unknown;
  /**
   * Whether this or a newer record has an unsigned report that the preview was removed. That ends an old claim, from the
   * time when ends were not signed.
   */
  isEnded: boolean;
}

/** The claims in a place's records, and the URLs that may contain their ends. */
export interface KeptClaims {
  /** Newest first. */
  claims: readonly KeptClaim[];
  addresses: readonly string[];
}

/** Reads the claims of the latest records, and possible ends of these or of other places' claims. */
export async function readKeptClaims(
  octokit: Octokit,
  seal: RecordSeal,
  place: DeploymentPlace,
): Promise<KeptClaims> {
  const made = await listDeployments(octokit, place, seal);
  const records = claimRecordsOf(made, seal).slice(0, mostRecords);
  const statuses = await Promise.all(records.map(({ id }) => listAllStatuses(octokit, id)));
  const last = statuses.findIndex((some) => some.some((one) => one.description === ended));
  return {
    claims: records.map(({ claim }, index) => ({ claim, isEnded: last >= 0 && index >= last })),
    addresses: statuses.flat().map(({ log_url: address = '' }) => address),
  };
}
