import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import { assignedTo } from '../../core/preview/domain-state.ts';
import type { ServiceClient } from '../../service/client.ts';
import { ServiceError } from '../../service/errors.ts';
import { isUnclear } from '../create-once.ts';
import { explain } from '../explain.ts';
import { EarlyEnd } from '../host.ts';

/** A hostname to point at a project. */
export interface Placing {
  hostname: string;
  projectId: string;
  /** The domain as it was last seen; absent if it is not connected. */
  seen: ConnectedDomain | undefined;
  /** Makes the idempotency key of one operation on one target; another each time. */
  keyFor: (operation: string, target: string) => string;
  /** Throws if a domain that somebody connected since it was seen must not be taken. Absent: any may. */
  accepts?: (found: ConnectedDomain) => void;
}

/** Takes a hostname off its project. */
export async function releaseDomain(
  client: ServiceClient,
  { hostname, keyFor }: Pick<Placing, 'hostname' | 'keyFor'>,
): Promise<ConnectedDomain> {
  const idempotencyKey = keyFor('clear domain', hostname);
  return await client.assignDomain(hostname, { projectId: null, idempotencyKey });
}

const isAt = (domain: ConnectedDomain, projectId: string): boolean =>
  assignedTo(domain)?.toLowerCase() === projectId.toLowerCase();

/** Asks for one assignment, under an idempotency key of its own. */
async function point(
  client: ServiceClient,
  { hostname, projectId, keyFor }: Omit<Placing, 'seen'>,
  operation: string,
): Promise<ConnectedDomain> {
  const idempotencyKey = keyFor(operation, `${hostname} ${projectId}`);
  return await client.assignDomain(hostname, { projectId, idempotencyKey });
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
async function putBack(
  client: ServiceClient,
  placing: Placing,
  former: string,
  cause: ServiceError,
): Promise<ConnectedDomain> {
  const { hostname, projectId } = placing;
  const now = await unlessFailed(client.getConnectedDomain(hostname, false));
  if (now !== undefined && isAt(now, projectId)) return now;
  const back = { ...placing, projectId: former };
  const restored =
    now !== undefined && isAt(now, former)
      ? now
      : await unlessFailed(point(client, back, 'assign domain back'));
  const state =
    restored !== undefined && isAt(restored, former)
      ? `${hostname} serves its former project again`
      : `${hostname} may be assigned to no project now: assign it at the service, or run the job again`;
  throw new EarlyEnd('failed', `${explain(cause, String)} The move ended half-way; ${state}.`);
}

/** Moves a domain by way of no project. Where that ends half-way, the former project gets it back. */
async function move(
  client: ServiceClient,
  placing: Placing,
  former: string,
): Promise<ConnectedDomain> {
  let isCleared = false;
  try {
    await releaseDomain(client, placing);
    isCleared = true;
    return await point(client, placing, 'assign domain again');
  } catch (error) {
    if (!(error instanceof ServiceError) || !(isCleared || isUnclear(error))) throw error;
    return await putBack(client, placing, former, error);
  }
}

/**
 * Assigns a connected domain. A service that answers 409 may not move one that is assigned: it is asked to clear
 * it first, if a look shows that the domain is still where it was.
 *
 * @throws ServiceError or EarlyEnd; either way the domain serves the project that it served, if that is possible
 */
export async function assignDomain(
  client: ServiceClient,
  placing: Placing,
): Promise<ConnectedDomain> {
  const { hostname, projectId, seen } = placing;
  try {
    return await point(client, placing, 'assign domain');
  } catch (error) {
    const former = seen && assignedTo(seen);
    if (former === undefined || !(error instanceof ServiceError) || error.status !== 409) {
      throw error;
    }
    const now = await unlessFailed(client.getConnectedDomain(hostname, false));
    if (now !== undefined && isAt(now, projectId)) return now;
    if (now === undefined || !isAt(now, former)) throw error;
    return await move(client, placing, former);
  }
}

/** Connects a domain; undefined if somebody connected it between our look and now. */
async function connect(
  client: ServiceClient,
  { hostname, projectId, keyFor }: Placing,
): Promise<ConnectedDomain | undefined> {
  const idempotencyKey = keyFor('connect domain', `${hostname} ${projectId}`);
  try {
    return await client.connectDomain({ hostname, projectId, idempotencyKey });
  } catch (error) {
    if (error instanceof ServiceError && error.status === 409) return undefined;
    throw error;
  }
}

/**
 * Points a hostname at a project: connects it, assigns it, or does nothing where that is so already.
 *
 * @returns the domain as the service shows it then
 */
export async function placeDomain(
  client: ServiceClient,
  placing: Placing,
): Promise<ConnectedDomain> {
  const { hostname, projectId, seen, accepts } = placing;
  const known = seen ?? (await connect(client, placing));
  if (known !== undefined && isAt(known, projectId)) return known;
  if (seen === undefined && accepts !== undefined) {
    accepts(known ?? (await client.getConnectedDomain(hostname, false)));
  }
  return await assignDomain(client, { ...placing, seen: known });
}
