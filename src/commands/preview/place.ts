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

/**
 * Points a hostname at a project: connects it, assigns it, or does nothing where that is so already.
 *
 * @returns the domain as the service shows it then
 */
export async function placeDomain(
  client: ServiceClient,
  { hostname, projectId, seen, keyFor }: Placing,
): Promise<ConnectedDomain> {
  const target = `${hostname} ${projectId}`;
  const assign = () =>
    client.assignDomain(hostname, { projectId, idempotencyKey: keyFor('assign domain', target) });
  if (seen !== undefined) {
    const isThere = assignedTo(seen)?.toLowerCase() === projectId.toLowerCase();
    return isThere ? seen : await assign();
  }
  const idempotencyKey = keyFor('connect domain', target);
  const connected = await client
    .connectDomain({ hostname, projectId, idempotencyKey })
    .catch((error: unknown) => {
      // Somebody connected it between our look and now.
      if (error instanceof ServiceError && error.status === 409) return undefined;
      throw error;
    });
  const isThere = connected && assignedTo(connected)?.toLowerCase() === projectId.toLowerCase();
  return isThere === true && connected !== undefined ? connected : await assign();
}
