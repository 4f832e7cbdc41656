import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import { assignedTo } from '../../core/preview/domain-state.ts';
import { ServiceError } from '../../service/errors.ts';
import { makeSo, type Wanted } from '../make-so.ts';
import type { Run } from '../run.ts';

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
export const isAt = (
  domain: ConnectedDomain | undefined,
  projectId: string | null,
): domain is ConnectedDomain =>
  domain !== undefined && assignedTo(domain)?.toLowerCase() === projectId?.toLowerCase();

/** What of a domain's writes is the same. */
function wantedOf(
  run: Run,
  hostname: string,
): Pick<Wanted<ConnectedDomain, ConnectedDomain>, 'look' | 'describe'> {
  const { clean } = run.host;
  return {
    look: () => findDomain(run, hostname),
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
  run: Run,
  hostname: string,
  projectId: string | null,
  name: string,
): Promise<ConnectedDomain> {
  const { client, host, keyFor } = run;
  const target = projectId === null ? hostname : `${hostname} ${projectId}`;
  return await makeSo(host, {
    ...wantedOf(run, hostname),
    operation: projectId === null ? 'clear the assignment of the domain' : 'assign the domain',
    send: (suffix) => {
      const idempotencyKey = keyFor(`${name}${suffix}`, target);
      return client.assignDomain(hostname, { projectId, idempotencyKey });
    },
    isSo: (state) => isAt(state, projectId),
  });
}

/** Takes a hostname off its project. @throws ServiceError, or Unproven if it is still there */
export async function releaseDomain(run: Run, hostname: string): Promise<ConnectedDomain> {
  return await point(run, hostname, null, 'clear domain');
}

/** Has a domain connected; one that somebody connected in the meantime is taken as it is. */
export async function connectDomain(
  run: Run,
  { hostname, projectId }: { hostname: string; projectId?: string },
): Promise<ConnectedDomain> {
  const { client, host, keyFor } = run;
  const given = projectId === undefined ? { hostname } : { hostname, projectId };
  const target = Object.values(given).join(' ');
  return await makeSo(host, {
    ...wantedOf(run, hostname),
    operation: 'connect the domain',
    send: (suffix) => {
      const idempotencyKey = keyFor(`connect domain${suffix}`, target);
      return client.connectDomain({ ...given, idempotencyKey });
    },
    isSo: (state) => state !== undefined,
  });
}

/** Has a domain disconnected. */
export async function disconnectDomain(run: Run, hostname: string): Promise<void> {
  const { client, host, keyFor } = run;
  await makeSo<ConnectedDomain, undefined>(host, {
    ...wantedOf(run, hostname),
    operation: 'disconnect the domain',
    send: async (suffix) => {
      await client.disconnectDomain(hostname, keyFor(`disconnect domain${suffix}`, hostname));
      return undefined;
    },
    isSo: (state) => state === undefined,
  });
}
