import type { Octokit } from './api.ts';
import { ended, listAllStatuses } from './deployment-status.ts';
import { type DeploymentPlace, listDeployments, type MadeDeployment } from './github-deployment.ts';
import type { RecordSeal, ReleaseRecord } from './model/record-seal.ts';

/** How many of the newest records are looked through for what they claim, and for ends. */
const mostRecords = 5;

/** A record of ours that may hold a claim. */
export interface ClaimRecord {
  id: number;
  claim: unknown;
}

/**
 * The records among some deployments that bear our signature, the newest first by what they say themselves: copies are
 * newer, but not what is signed in them. The first of each run counts.
 *
 * @param made the newest first
 */
export function claimRecordsOf(made: readonly MadeDeployment[], seal: RecordSeal): ClaimRecord[] {
  const first = new Map<string, ClaimRecord & { record: ReleaseRecord }>();
  for (const { id, ...shown } of made) {
    const record = seal.open(shown);
    if (record !== undefined) first.set(record.mark, { id, record, claim: shown.payload['claim'] });
  }
  return [...first.values()].toSorted((one, other) => other.record.until - one.record.until);
}

/** What a record claims. */
export interface KeptClaim {
  claim: unknown;
  /**
   * Whether it, or a newer record, says without a signature that the preview was ended. That ends a claim that was made
   * when ends were not signed.
   */
  isEnded: boolean;
}

/** What our records of a place say of its preview: their claims, and the addresses that may tell of ends. */
export interface KeptClaims {
  /** The newest first. */
  claims: readonly KeptClaim[];
  addresses: readonly string[];
}

/** Reads what the newest records claim, and what may have ended that, or a claim that another place holds. */
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
