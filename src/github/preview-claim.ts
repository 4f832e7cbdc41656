import type { RecordSeal, ReleaseRecord } from '../core/history/record-seal.ts';
import type { Octokit } from './api.ts';
import { type DeploymentPlace, listDeployments, type MadeDeployment } from './deployment.ts';
import { listStatuses } from './deployment-status.ts';

/** How many of the newest records are looked through for what they claim, and for ends. */
const mostRecords = 5;

/** The most statuses of a record that are looked through. */
const mostStatuses = 100;

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

/** What our records of a place say of its preview: their claims, and the addresses that may tell of ends. */
export interface KeptClaims {
  claims: readonly unknown[];
  addresses: readonly string[];
}

/** Reads what the newest records claim, and what may have ended that, or a claim that another place holds. */
export async function readKeptClaims(
  octokit: Octokit,
  seal: RecordSeal,
  place: DeploymentPlace,
): Promise<KeptClaims> {
  const made = await listDeployments(octokit, place);
  const records = claimRecordsOf(made, seal).slice(0, mostRecords);
  const statuses = await Promise.all(
    records.map(({ id }) => listStatuses(octokit, id, mostStatuses)),
  );
  return {
    claims: records.map(({ claim }) => claim),
    addresses: statuses.flat().map(({ log_url: address = '' }) => address),
  };
}
