import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import { assignedTo } from '../../core/preview/domain-state.ts';
import type { ServiceClient } from '../../service/client.ts';
import { ServiceError } from '../../service/errors.ts';

/** A hostname to point at a project. */
export interface Placing {
  hostname: string;
  projectId: string;
  /** The domain as it was last seen; absent if it is not connected. */
  seen: ConnectedDomain | undefined;
  /** Makes the idempotency key of one operation on one target; another each time. */
  keyFor: (operation: string, target: string) => string;
}

/** Takes a hostname off its project. */
export async function releaseDomain(
  client: ServiceClient,
  { hostname, keyFor }: Pick<Placing, 'hostname' | 'keyFor'>,
): Promise<ConnectedDomain> {
  const idempotencyKey = keyFor('clear domain', hostname);
  return await client.assignDomain(hostname, { projectId: null, idempotencyKey });
}

/** Assigns a connected domain; a service that does not move one is asked to clear it first. */
export async function assignDomain(
  client: ServiceClient,
  placing: Placing,
): Promise<ConnectedDomain> {
  const { hostname, projectId, seen, keyFor } = placing;
  const once = (operation: string) =>
    client.assignDomain(hostname, {
      projectId,
      idempotencyKey: keyFor(operation, `${hostname} ${projectId}`),
    });
  try {
    return await once('assign domain');
  } catch (error) {
    const isTaken = seen !== undefined && assignedTo(seen) !== undefined;
    if (!isTaken || !(error instanceof ServiceError) || error.status !== 409) throw error;
    await releaseDomain(client, placing);
    return await once('assign domain again');
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
  const known = placing.seen ?? (await connect(client, placing));
  const isThere = known && assignedTo(known)?.toLowerCase() === placing.projectId.toLowerCase();
  return isThere === true && known !== undefined
    ? known
    : await assignDomain(client, { ...placing, seen: known });
}
