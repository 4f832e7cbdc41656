import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { operations } from '../contract/operations.ts';
import { reword } from '../kernel/diagnostic.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import { ServiceError } from '../service/errors.ts';
import { ensure, isThere, type TargetState } from '../step/ensure.ts';
import { explainError } from '../step/run-outcome.ts';
import { type Host, type Run, Stop } from '../step/step.ts';
import { assignedTo } from './evaluate.ts';

/** A hostname to assign to a project. */
interface AssignmentRequest {
  hostname: string;
  projectId: string;
  /** The domain as last read; absent if it is not connected. */
  current: ConnectedDomain | undefined;
  /** Throws if a domain that was connected elsewhere since then must not be used. */
  accepts?: (found: ConnectedDomain) => void;
}

/**
 * Connects a hostname and assigns it to a project, as far as needed.
 *
 * @returns the domain as last returned by the service
 */
export async function ensureAssigned(
  run: Run,
  request: AssignmentRequest,
): Promise<ConnectedDomain> {
  const { projectId, current, accepts } = request;
  const known = current ?? (await connectDomain(run, request));
  if (isAssignedTo(known, projectId)) return known;
  if (current === undefined) accepts?.(known);
  return await assignDomain(run, { ...request, current: known });
}

/**
 * Assigns a connected domain. If the service returns 409 and the domain still has its former project, the assignment
 * is cleared first.
 *
 * @throws ServiceError or Stop; the domain then has its former project, if possible
 */
export async function assignDomain(run: Run, request: AssignmentRequest): Promise<ConnectedDomain> {
  const { hostname, projectId, current } = request;
  try {
    return await setAssignment(run, hostname, projectId, 'assign domain');
  } catch (error) {
    const former = current && assignedTo(current);
    if (former === undefined || !(error instanceof ServiceError) || error.status !== 409) {
      throw error;
    }
    const now = await unlessFailed(findDomain(run, hostname));
    if (!isAssignedTo(now, former)) throw error;
    return await move(run, request, former);
  }
}

/** Moves a domain in two requests: clear, then assign. If the second fails, the former project gets it back. */
async function move(
  run: Run,
  request: AssignmentRequest,
  former: string,
): Promise<ConnectedDomain> {
  const { hostname, projectId } = request;
  let isCleared = false;
  try {
    // No extra read here, to keep the gap short: the second response shows the result of both.
    await setAssignment(run, hostname, null, 'clear domain');
    isCleared = true;
    return await setAssignment(run, hostname, projectId, 'assign domain again');
  } catch (error) {
    if (!(error instanceof ServiceError) || !(isCleared || error.effect !== 'none')) throw error;
    return await restoreAssignment(run, request, former, error);
  }
}

/**
 * Assigns a domain to its former project again, after an interrupted move.
 *
 * @returns the domain, if it was moved after all
 * @throws Stop, with whether the former project has it again
 */
async function restoreAssignment(
  run: Run,
  { hostname, projectId }: AssignmentRequest,
  former: string,
  cause: unknown,
): Promise<ConnectedDomain> {
  const now = await unlessFailed(findDomain(run, hostname));
  if (isAssignedTo(now, projectId)) return now;
  const restored = isAssignedTo(now, former)
    ? now
    : await unlessFailed(setAssignment(run, hostname, former, 'assign domain back'));
  const name = unsafeText(hostname);
  const state = isAssignedTo(restored, former)
    ? safe`${name} serves its former project again`
    : safe`${name} may have no project now: assign it on the service, or rerun the job`;
  throw new Stop(
    'failed',
    reword(explainError(cause, run.host.clean), (why) => safe`${why} ${state}.`),
  );
}

/** The response to a request; undefined if it failed. */
async function unlessFailed<Answer>(request: Promise<Answer>): Promise<Answer | undefined> {
  return await request.catch((error: unknown) => {
    if (error instanceof ServiceError) return undefined;
    throw error;
  });
}

/**
 * Removes a hostname from its project. Nothing checks this later, so it is confirmed by reading the domain, not by the
 * response.
 *
 * @throws ServiceError if it is still assigned
 */
export async function clearDomain(run: Run, hostname: string): Promise<ConnectedDomain> {
  const isReadAgain = true;
  return await setAssignment(run, hostname, null, 'clear domain', isReadAgain);
}

/**
 * Assigns a domain to a project, or to none.
 *
 * @param name the name of the operation, a part of the idempotency key
 * @param isReadAgain true if the response doesn't confirm it
 */
async function setAssignment(
  run: Run,
  hostname: string,
  projectId: string | null,
  name: string,
  isReadAgain = false,
): Promise<ConnectedDomain> {
  return await write(run, hostname, {
    operation: projectId === null ? operations.clearDomain : operations.assignDomain,
    key: [name, projectId === null ? hostname : `${hostname} ${projectId}`],
    send: async (idempotencyKey) => {
      const answer = await run.client.assignDomain(hostname, { projectId, idempotencyKey });
      return isReadAgain ? undefined : unlessBare(answer);
    },
    isShown: (domain) => isAssignedTo(domain, projectId),
  });
}

/** Connects a domain. One that was connected elsewhere in the meantime is returned unchanged. */
export async function connectDomain(
  run: Run,
  { hostname, projectId }: { hostname: string; projectId?: string },
): Promise<ConnectedDomain> {
  const given = projectId === undefined ? { hostname } : { hostname, projectId };
  return await write(run, hostname, {
    operation: operations.connectDomain,
    key: ['connect domain', Object.values(given).join(' ')],
    send: async (idempotencyKey) =>
      unlessBare(await run.client.connectDomain({ ...given, idempotencyKey })),
    isShown: isThere<ConnectedDomain>,
  });
}

/** Disconnects a domain. The response has only its name, so it is confirmed by reading the domain. */
export async function disconnectDomain(run: Run, hostname: string): Promise<void> {
  await write(run, hostname, {
    operation: operations.disconnectDomain,
    key: ['disconnect domain', hostname],
    send: async (idempotencyKey) => {
      await run.client.disconnectDomain(hostname, idempotencyKey);
      return { hostname };
    },
    isShown: (state) => state === undefined,
  });
}

/** The response to a write; undefined if it has only the domain's name. */
const unlessBare = (answer: ConnectedDomain): ConnectedDomain | undefined =>
  Object.keys(answer).length > 1 ? answer : undefined;

/** A write of a connected domain. */
interface DomainWrite<Shown extends ConnectedDomain | undefined>
  extends Pick<TargetState<ConnectedDomain, Shown>, 'operation' | 'isShown'> {
  /** The operation and its target, of which the idempotency key is made. */
  key: readonly [name: string, target: string];
  send(idempotencyKey: string): Promise<ConnectedDomain | undefined>;
}

/** Sends a write of a connected domain until its response, or the domain as read then, confirms it. */
async function write<Shown extends ConnectedDomain | undefined>(
  run: Run,
  hostname: string,
  { operation, isShown, key: [name, target], send }: DomainWrite<Shown>,
): Promise<Shown> {
  const { state } = await ensure<ConnectedDomain, Shown>(run.host, {
    operation,
    isShown,
    send: (suffix) => send(run.keyFor(`${name}${suffix}`, target)),
    read: () => findDomain(run, hostname),
    describe: (domain) => describeAssignment(run.host, domain),
  });
  return state;
}

/** What the service shows of a domain, to follow "shows". */
export function describeAssignment({ clean }: Host, domain: ConnectedDomain | undefined): SafeText {
  if (domain === undefined) return safe`that it is not connected`;
  const projectId = assignedTo(domain);
  return projectId === undefined
    ? safe`it assigned to no project`
    : safe`it assigned to the project ${clean(projectId)}`;
}

/** Reads a connected domain; undefined if it is not connected. */
export async function findDomain(
  { client }: Run,
  hostname: string,
): Promise<ConnectedDomain | undefined> {
  return await client.readConnectedDomain(hostname, false).catch((error: unknown) => {
    if (error instanceof ServiceError && error.status === 404) return undefined;
    throw error;
  });
}

/** True if a domain is assigned to a project, or, for null, to none. */
export const isAssignedTo = (
  domain: ConnectedDomain | undefined,
  projectId: string | null,
): domain is ConnectedDomain =>
  domain !== undefined && assignedTo(domain) === (projectId ?? undefined);
