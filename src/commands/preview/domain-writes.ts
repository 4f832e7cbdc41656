import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import { operations } from '../../contract/operations.ts';
import { assignedTo } from '../../core/preview/domain-state.ts';
import type { ServiceClient } from '../../service/client.ts';
import { ServiceError } from '../../service/errors.ts';
import { ensure, isThere, type Wanted } from '../ensure.ts';
import type { Host } from '../host.ts';

/** A hostname that something is written of. */
export interface Writing {
  hostname: string;
  /** Makes the idempotency key of one operation on one target; another each time. */
  keyFor: (operation: string, target: string) => string;
}

/** A connected domain as it is; undefined if it is not connected. */
export async function findDomain(
  client: ServiceClient,
  hostname: string,
): Promise<ConnectedDomain | undefined> {
  return await client.getConnectedDomain(hostname, false).catch((error: unknown) => {
    if (error instanceof ServiceError && error.status === 404) return undefined;
    throw error;
  });
}

/** True if a domain is assigned to a project; to none, for null. */
export const isAt = (
  domain: ConnectedDomain | undefined,
  projectId: string | null,
): domain is ConnectedDomain =>
  domain !== undefined && assignedTo(domain)?.toLowerCase() === projectId?.toLowerCase();

/** An answer to a write; one that only names the domain shows nothing of it. */
const unlessBare = (answer: ConnectedDomain): ConnectedDomain | undefined =>
  Object.keys(answer).length > 1 ? answer : undefined;

/** What of a domain's writes is the same. */
function wantedOf(
  client: ServiceClient,
  { clean }: Host,
  hostname: string,
): Pick<Wanted<ConnectedDomain, ConnectedDomain>, 'look' | 'describe'> {
  return {
    look: () => findDomain(client, hostname),
    describe: (domain) => {
      if (domain === undefined) return 'that it is not connected';
      const projectId = assignedTo(domain);
      return projectId === undefined
        ? 'it assigned to no project'
        : `it assigned to the project ${clean(projectId)}`;
    },
  };
}

/**
 * Has a domain assigned to a project, or to none, under an idempotency key of its own.
 *
 * @param name of the operation, of which the key is made
 */
export async function point(
  client: ServiceClient,
  host: Host,
  { hostname, projectId, keyFor }: Writing & { projectId: string | null },
  name: string,
): Promise<ConnectedDomain> {
  const target = projectId === null ? hostname : `${hostname} ${projectId}`;
  const { state } = await ensure(host, {
    ...wantedOf(client, host, hostname),
    operation: projectId === null ? operations.clearDomain : operations.assignDomain,
    send: async (suffix) => {
      const idempotencyKey = keyFor(`${name}${suffix}`, target);
      return unlessBare(await client.assignDomain(hostname, { projectId, idempotencyKey }));
    },
    isShown: (domain) => isAt(domain, projectId),
  });
  return state;
}

/** Takes a hostname off its project. @throws ServiceError if it is still there */
export async function releaseDomain(
  client: ServiceClient,
  host: Host,
  { hostname, keyFor }: Writing,
): Promise<ConnectedDomain> {
  return await point(client, host, { hostname, projectId: null, keyFor }, 'clear domain');
}

/** Has a domain connected; one that somebody connected in the meantime is taken as it is. */
export async function connectDomain(
  client: ServiceClient,
  host: Host,
  { hostname, projectId, keyFor }: Writing & { projectId?: string },
): Promise<ConnectedDomain> {
  const given = projectId === undefined ? { hostname } : { hostname, projectId };
  const target = Object.values(given).join(' ');
  const { state } = await ensure(host, {
    ...wantedOf(client, host, hostname),
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
export async function disconnectDomain(
  client: ServiceClient,
  host: Host,
  { hostname, keyFor }: Writing,
): Promise<void> {
  await ensure<ConnectedDomain, undefined>(host, {
    ...wantedOf(client, host, hostname),
    operation: operations.disconnectDomain,
    send: async (suffix) => {
      await client.disconnectDomain(hostname, keyFor(`disconnect domain${suffix}`, hostname));
      return { hostname };
    },
    isShown: (state) => state === undefined,
  });
}
