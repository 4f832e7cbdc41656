import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { assignedTo } from '../domains/evaluate.ts';
import type { Taken } from '../github-api/model/claim.ts';

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

/** The preview that a run deploys to. */
export interface PreviewIntent {
  /** The input `preview-domain`. */
  template: string;
  hostname: string;
  ownership: Ownership;
  /** The time limit for the domain's verification, in milliseconds. */
  timeout: number;
  onPending: 'warn' | 'fail';
}

/** Why a run has no preview domain: none is configured, or it needs the number of a pull request. */
export type NoPreview = 'no-template' | 'no-number';

/** How previews are ended. */
export interface EndIntent {
  /** A hostname that is assigned to another project is not changed. */
  projects: readonly string[];
  /** True: the domain is disconnected; false: only its assignment is cleared. */
  disconnect: boolean;
}

/** How the previews of closed pull requests are ended, and what is updated on GitHub. */
export interface SweepIntent extends EndIntent {
  updates: { comment: boolean; deployment: boolean };
}
