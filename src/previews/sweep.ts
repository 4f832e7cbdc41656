import { assignedTo } from '../domains/model/domain-state.ts';
import type { Run } from '../frame/run.ts';
import { type CleanedUp, type CleanUpRequest, cleanUp } from './clean-up.ts';
import type { HostnameMatcher } from './model/hostname.ts';

/** Previews that a clean-up on close may have missed. */
export interface SweepRequest extends Omit<CleanUpRequest, 'hostname' | 'ownership'> {
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
