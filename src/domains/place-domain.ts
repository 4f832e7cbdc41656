import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { operations } from '../contract/operations.ts';
import { explainError } from '../frame/ending.ts';
import { ensure, isThere, type Wanted } from '../frame/ensure.ts';
import { EarlyEnd } from '../frame/host.ts';
import type { Run } from '../frame/step.ts';
import { reword } from '../kernel/diagnostic.ts';
import { safe, unsafeText } from '../kernel/text/safe.ts';
import { ServiceError } from '../service/errors.ts';
import { assignedTo } from './evaluate.ts';

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
  const name = unsafeText(hostname);
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

/** A connected domain as it is; undefined if it is not connected. */
export async function findDomain(
  { client }: Run,
  hostname: string,
): Promise<ConnectedDomain | undefined> {
  return await client.getConnectedDomain(hostname, false).catch((error: unknown) => {
    if (error instanceof ServiceError && error.status === 404) return undefined;
    throw error;
  });
}

/** True if a domain is assigned to a project; to none, for null. */
export const isAssignedTo = (
  domain: ConnectedDomain | undefined,
  projectId: string | null,
): domain is ConnectedDomain =>
  domain !== undefined && assignedTo(domain) === (projectId ?? undefined);

/** An answer to a write; one that only names the domain shows nothing of it. */
const unlessBare = (answer: ConnectedDomain): ConnectedDomain | undefined =>
  Object.keys(answer).length > 1 ? answer : undefined;

/** What of a domain's writes is the same. */
function wantedOf(
  run: Run,
  hostname: string,
): Pick<Wanted<ConnectedDomain, ConnectedDomain>, 'look' | 'describe'> {
  const { clean } = run.host;
  return {
    look: () => findDomain(run, hostname),
    describe: (domain) => {
      if (domain === undefined) return safe`that it is not connected`;
      const projectId = assignedTo(domain);
      return projectId === undefined
        ? safe`it assigned to no project`
        : safe`it assigned to the project ${clean(projectId)}`;
    },
  };
}

/** An assignment that is wanted. */
export interface Assignment {
  hostname: string;
  /** Null: none. */
  projectId: string | null;
  /** Of the operation, of which the idempotency key is made. */
  name: string;
}

async function assignBy(
  run: Run,
  { hostname, projectId, name }: Assignment,
  read: (answer: ConnectedDomain) => ConnectedDomain | undefined,
): Promise<ConnectedDomain> {
  const { client, host, keyFor } = run;
  const target = projectId === null ? hostname : `${hostname} ${projectId}`;
  const { state } = await ensure(host, {
    ...wantedOf(run, hostname),
    operation: projectId === null ? operations.clearDomain : operations.assignDomain,
    send: async (suffix) => {
      const idempotencyKey = keyFor(`${name}${suffix}`, target);
      return read(await client.assignDomain(hostname, { projectId, idempotencyKey }));
    },
    isShown: (domain) => isAssignedTo(domain, projectId),
  });
  return state;
}

/** Has a domain assigned to a project, or to none, under an idempotency key of its own. What the answer shows counts. */
export async function setAssignment(run: Run, wanted: Assignment): Promise<ConnectedDomain> {
  return await assignBy(run, wanted, unlessBare);
}

/**
 * Takes a hostname off its project. It is said to be gone from there, and nobody looks later whether that is so: what
 * counts is a look, whatever the answer shows.
 *
 * @throws ServiceError if it is still there
 */
export async function releaseDomain(run: Run, hostname: string): Promise<ConnectedDomain> {
  const wanted = { hostname, projectId: null, name: 'clear domain' };
  return await assignBy(run, wanted, () => undefined);
}

/** Has a domain connected; one that somebody connected in the meantime is taken as it is. */
export async function connectDomain(
  run: Run,
  { hostname, projectId }: { hostname: string; projectId?: string },
): Promise<ConnectedDomain> {
  const { client, host, keyFor } = run;
  const given = projectId === undefined ? { hostname } : { hostname, projectId };
  const target = Object.values(given).join(' ');
  const { state } = await ensure(host, {
    ...wantedOf(run, hostname),
    operation: operations.connectDomain,
    send: async (suffix) => {
      const idempotencyKey = keyFor(`connect domain${suffix}`, target);
      return unlessBare(await client.connectDomain({ ...given, idempotencyKey }));
    },
    isShown: isThere<ConnectedDomain>,
  });
  return state;
}

/** Has a domain disconnected. The answer only names it: a look tells whether it is gone. */
export async function disconnectDomain(run: Run, hostname: string): Promise<void> {
  const { client, host, keyFor } = run;
  await ensure<ConnectedDomain, undefined>(host, {
    ...wantedOf(run, hostname),
    operation: operations.disconnectDomain,
    send: async (suffix) => {
      await client.disconnectDomain(hostname, keyFor(`disconnect domain${suffix}`, hostname));
      return { hostname };
    },
    isShown: (state) => state === undefined,
  });
}
