import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { assignedTo } from '../domains/evaluate.ts';
import { disconnectDomain, findDomain, releaseDomain } from '../domains/place-domain.ts';
import type { Run } from '../frame/step.ts';
import { safe } from '../kernel/text/safe.ts';
import type { EndIntent } from './intent.ts';
import { isTakenByOthers, type Ownership } from './model/ownership.ts';
import type { HostnameMatcher } from './model/preview-hostname.ts';

/** A preview whose pull request is closed. */
export interface CleanUpRequest extends EndIntent {
  hostname: string;
  ownership: Ownership;
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

/** Previews that a clean-up on close may have missed. */
export interface SweepRequest extends EndIntent {
  matcher: HostnameMatcher;
  /** Whether a pull request is open; undefined if it cannot be told. */
  isOpen: (number: number) => Promise<boolean | undefined>;
  /** Is told of each preview that was ended, before the next one is looked at: a run that is killed misses one at most. */
  onEnded?: (ended: Ended) => Promise<void>;
}

/** A preview that was ended. */
export interface Ended {
  hostname: string;
  number: number;
  /** The project that its hostname was assigned to. */
  projectId: string;
  result: CleanedUp;
}

/** A hostname that was swept, and what became of it: how it was cleaned up, or what went wrong. */
export interface Swept {
  hostname: string;
  number: number;
  result: CleanedUp | { error: unknown };
}

/** Ends the previews of all pull requests that are closed. One whose state cannot be told is left alone. */
export async function sweep(run: Run, request: SweepRequest): Promise<Swept[]> {
  const { client, host } = run;
  const { matcher, projects, isOpen, onEnded } = request;
  const swept: Swept[] = [];
  for (const domain of await client.listConnectedDomains()) {
    const number = matcher.numberOf(domain.hostname);
    const projectId = assignedTo(domain);
    if (number === undefined || projectId === undefined || !projects.includes(projectId)) continue;
    if ((await isOpen(number)) !== false) continue;
    const { hostname } = domain;
    // Its number was read from its name.
    const preview = { ...request, hostname, ownership: { by: 'name' } } as const;
    const result = await cleanUp(run, preview).catch((error: unknown) => {
      host.signal.throwIfAborted();
      return { error };
    });
    swept.push({ hostname, number, result });
    if (typeof result === 'string') await onEnded?.({ hostname, number, projectId, result });
  }
  return swept;
}
