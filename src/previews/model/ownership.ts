import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import { assignedTo } from '../../domains/evaluate.ts';
import type { Taken } from '../../records/model/claim.ts';

/**
 * How a run recognizes its preview's hostname as its own:
 * - by the name, if it contains the pull request's number, or if the run's code is merged
 * - by a record of this action, if a branch's name is in the hostname, which could be a site's
 */
export type Ownership = { by: 'name' } | { by: 'record'; claim: Taken | undefined };

/**
 * The project to which a hostname is assigned, if the hostname must not be moved from there.
 *
 * @param known the projects to which the run may deploy
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

/** True if a hostname is assigned, and not known to be the run's own: it may be another site. */
export function isTakenByOthers(ownership: Ownership, domain: ConnectedDomain): boolean {
  const projectId = assignedTo(domain);
  if (projectId === undefined || ownership.by === 'name') return false;
  const { claim } = ownership;
  return claim?.hostname !== domain.hostname.toLowerCase() || claim.projectId !== projectId;
}

/** The result of removing a preview: removed now, removed or absent before, kept, or unknown. */
export type Removal = 'done' | 'before' | 'left' | 'unknown';
