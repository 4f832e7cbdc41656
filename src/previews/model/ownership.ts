import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import { assignedTo } from '../../domains/evaluate.ts';
import type { Taken } from '../../records/model/claim.ts';

/**
 * How a run knows that an assignment of its preview's hostname is its own:
 * - by the name, where that holds the pull request's number, or where the run's code is merged;
 * - by what our own record says, where a branch's name made the hostname: it may be the name of a site.
 */
export type Ownership = { by: 'name' } | { by: 'record'; claim: Taken | undefined };

/**
 * The project that a hostname serves, if a run knows nothing of it, so that the hostname is not moved.
 *
 * @param known the projects that the run may deploy to
 */
export function foreignProject(
  known: readonly string[],
  ownership: Ownership,
  domain: ConnectedDomain,
): string | undefined {
  const projectId = assignedTo(domain);
  const claim = ownership.by === 'record' ? ownership.claim : undefined;
  const isClaimed = claim?.hostname === domain.hostname.toLowerCase();
  const all = [...known, ...(isClaimed ? [claim.projectId] : [])];
  const folded = projectId?.toLowerCase();
  return all.some((one) => one.toLowerCase() === folded) ? undefined : projectId;
}

/** True if a hostname is assigned, and not known to be the run's own: it may be somebody's site. */
export function isTakenByOthers(ownership: Ownership, domain: ConnectedDomain): boolean {
  const projectId = assignedTo(domain);
  if (projectId === undefined || ownership.by === 'name') return false;
  const { claim } = ownership;
  return claim?.hostname !== domain.hostname.toLowerCase() || claim.projectId !== projectId;
}

/** What became of a preview's domain: ended now, ended or absent before, left alone, or nothing that is known. */
export type Removal = 'done' | 'before' | 'left' | 'unknown';
