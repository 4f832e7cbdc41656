import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { operations } from '../contract/operations.ts';
import { ensure, isThere, type Wanted } from '../frame/ensure.ts';
import type { Run } from '../frame/run.ts';
import { safe } from '../kernel/text/safe.ts';
import { ServiceError } from '../service/errors.ts';
import { assignedTo } from './model/domain-state.ts';

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
