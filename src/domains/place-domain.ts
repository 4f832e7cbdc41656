import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { explainError } from '../frame/explain-error.ts';
import { EarlyEnd } from '../frame/host.ts';
import type { Run } from '../frame/run.ts';
import { reword } from '../kernel/catalogue/coded.ts';
import { safe, trusted } from '../kernel/text/safe.ts';
import { ServiceError } from '../service/errors.ts';
import { connectDomain, findDomain, isAssignedTo, setAssignment } from './domain-writes.ts';
import { assignedTo } from './model/domain-state.ts';

/** A hostname to point at a project. */
export interface Placing {
  hostname: string;
  projectId: string;
  /** The domain as it was last seen; absent if it is not connected. */
  seen: ConnectedDomain | undefined;
  /** Throws if a domain that somebody connected since it was seen must not be taken. Absent: any may. */
  accepts?: (found: ConnectedDomain) => void;
  /** Is told for how long at most no project had it, in milliseconds, where it could not be moved in one go. */
  onGap?: (milliseconds: number) => void;
}

/** What a request gives; undefined if the service failed it. */
async function unlessFailed<Answer>(request: Promise<Answer>): Promise<Answer | undefined> {
  return await request.catch((error: unknown) => {
    if (error instanceof ServiceError) return undefined;
    throw error;
  });
}

/**
 * Assigns a domain to its former project again, after a move that ended half-way.
 *
 * @returns the domain, if a look shows that it was moved after all
 * @throws EarlyEnd that says whether it is back
 */
async function restoreAssignment(
  run: Run,
  placing: Placing,
  former: string,
  cause: unknown,
): Promise<ConnectedDomain> {
  const { hostname, projectId } = placing;
  const now = await unlessFailed(findDomain(run, hostname));
  if (now !== undefined && isAssignedTo(now, projectId)) return now;
  const restored = isAssignedTo(now, former)
    ? now
    : await unlessFailed(
        setAssignment(run, { hostname, projectId: former, name: 'assign domain back' }),
      );
  const name = trusted(hostname);
  const state = isAssignedTo(restored, former)
    ? safe`${name} serves its former project again`
    : safe`${name} may be assigned to no project now: assign it at the service, or run the job again`;
  throw new EarlyEnd(
    'failed',
    reword(
      explainError(cause, run.host.clean),
      (why) => safe`${why} The move ended half-way; ${state}.`,
    ),
  );
}

/** Moves a domain by way of no project. Where that ends half-way, the former project gets it back. */
async function move(run: Run, placing: Placing, former: string): Promise<ConnectedDomain> {
  const { hostname, projectId } = placing;
  const { clock } = run.host;
  const began = clock.now();
  let isCleared = false;
  try {
    // Between these two it serves nobody: no look, for the second shows what came of the first.
    await setAssignment(run, { hostname, projectId: null, name: 'clear domain' });
    isCleared = true;
    return await setAssignment(run, { hostname, projectId, name: 'assign domain again' });
  } catch (error) {
    if (!(error instanceof ServiceError) || !(isCleared || error.effect !== 'none')) throw error;
    return await restoreAssignment(run, placing, former, error);
  } finally {
    if (isCleared) placing.onGap?.(clock.now() - began);
  }
}

/**
 * Assigns a connected domain. A service that answers 409 may not move one that is assigned: it is asked to clear
 * it first, if a look shows that the domain is still where it was.
 *
 * @throws ServiceError or EarlyEnd; either way the domain serves the project that it served, if that is
 * possible
 */
export async function assignDomain(run: Run, placing: Placing): Promise<ConnectedDomain> {
  const { hostname, projectId, seen } = placing;
  try {
    return await setAssignment(run, { hostname, projectId, name: 'assign domain' });
  } catch (error) {
    const former = seen && assignedTo(seen);
    if (former === undefined || !(error instanceof ServiceError) || error.status !== 409) {
      throw error;
    }
    const now = await unlessFailed(findDomain(run, hostname));
    if (!isAssignedTo(now, former)) throw error;
    return await move(run, placing, former);
  }
}

/**
 * Points a hostname at a project: connects it, assigns it, or does nothing where that is so already.
 *
 * @returns the domain as the service shows it then
 */
export async function placeDomain(run: Run, placing: Placing): Promise<ConnectedDomain> {
  const { projectId, seen, accepts } = placing;
  const known = seen ?? (await connectDomain(run, placing));
  if (isAssignedTo(known, projectId)) return known;
  if (seen === undefined) accepts?.(known);
  return await assignDomain(run, { ...placing, seen: known });
}
