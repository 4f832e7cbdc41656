import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { disconnectDomain, findDomain, releaseDomain } from '../domains/domain-writes.ts';
import { assignedTo } from '../domains/model/domain-state.ts';
import type { Run } from '../frame/run.ts';
import { safe } from '../kernel/text/safe.ts';
import { isTakenByOthers, type Ownership } from './model/ownership.ts';

/** A preview whose pull request is closed. */
export interface CleanUpRequest {
  hostname: string;
  /** The projects that it may be assigned to; assigned elsewhere, it is left alone. */
  projects: readonly string[];
  ownership: Ownership;
  /** Remove the domain instead of only clearing its assignment. */
  disconnect: boolean;
}

/** What became of a preview's domain. */
export type CleanedUp =
  | 'cleared'
  | 'disconnected'
  | 'not-connected'
  | 'unassigned'
  | 'assigned-elsewhere'
  | 'not-recorded';

/** True if nothing says that a hostname is the preview that is to be ended. */
function isUnknown(ownership: Ownership, domain: ConnectedDomain): boolean {
  if (ownership.by === 'name') return false;
  return ownership.claim?.hostname !== domain.hostname.toLowerCase();
}

/**
 * Ends a preview: clears the assignment of its domain if that is still ours, or removes the domain. The
 * project itself keeps what was deployed to it.
 */
export async function cleanUp(
  run: Run,
  { hostname, projects, ownership, disconnect }: CleanUpRequest,
): Promise<CleanedUp> {
  const { host } = run;
  const domain = await findDomain(run, hostname);
  if (domain === undefined) return 'not-connected';
  if (isUnknown(ownership, domain)) return 'not-recorded';
  const projectId = assignedTo(domain);
  if (projectId !== undefined) {
    const isOurs = projects.includes(projectId) && !isTakenByOthers(ownership, domain);
    if (!isOurs) return 'assigned-elsewhere';
  }
  if (disconnect) {
    await disconnectDomain(run, hostname);
    host.report({ type: 'note', text: safe`${host.clean(hostname)} is disconnected` });
    return 'disconnected';
  }
  if (projectId === undefined) return 'unassigned';
  await releaseDomain(run, hostname);
  host.report({ type: 'note', text: safe`${host.clean(hostname)} is no longer assigned` });
  return 'cleared';
}
