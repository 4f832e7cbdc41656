import { z } from 'zod';
import { applyDialect } from '../apply-dialect.ts';
import { idempotencyKey } from '../checks.ts';
import type { ConnectedDomain } from '../domains/connected-domain.ts';
import { hostname } from '../domains/hostname.ts';
import { ServiceError } from '../errors.ts';
import { json } from '../reply.ts';
import { noParams, noQuery, type Operation, operation } from '../router.ts';
import type { World } from '../world.ts';
import { describeDomain } from './connected-domain-answer.ts';
import { connectedDomainReads } from './connected-domain-reads.ts';

const path = '/connected-domains';
const ofDomain = z.object({ hostname });

/** The operations of section "Connected domains". */
export function connectedDomainOperations(world: World): Operation[] {
  return [
    ...connectedDomainReads(world),
    connectDomain(world),
    assignDomain(world),
    disconnectDomain(world),
  ];
}

function connectDomain(world: World): Operation {
  const { dialect, domains } = world;
  return operation({
    name: 'connectDomain',
    method: 'POST',
    path,
    params: noParams,
    query: noQuery,
    body: () =>
      z.strictObject({
        hostname,
        projectId: z.string().min(1).optional(),
        idempotencyKey: idempotencyKey(dialect),
      }),
    handle: ({ body }) =>
      world.idempotency.once('connectDomain', body.idempotencyKey, body, async () => {
        const projectId = body.projectId === undefined ? null : knownProject(world, body.projectId);
        const existing = domains.find(body.hostname);
        if (existing && dialect.duplicateHostname === 'same') {
          const changed = projectId !== null && assign(world, existing, projectId);
          return json(200, describeDomain(existing, dialect), changed);
        }
        const domain = domains.connect(body.hostname, projectId);
        return json(dialect.successStatus, describeDomain(domain, dialect), true);
      }),
  });
}

function assignDomain(world: World): Operation {
  const { dialect, domains } = world;
  return operation({
    name: 'assignDomain',
    method: 'POST',
    path: `${path}/{hostname}/project`,
    params: ofDomain,
    query: noQuery,
    body: () =>
      z.strictObject({
        projectId: z.string().nullable(),
        idempotencyKey: idempotencyKey(dialect),
      }),
    handle: ({ params, body }) => {
      const scope = `assignDomain ${params.hostname}`;
      return world.idempotency.once(scope, body.idempotencyKey, body, async () => {
        const domain = domains.get(params.hostname);
        const projectId = body.projectId === null ? null : knownProject(world, body.projectId);
        const changed = assign(world, domain, projectId);
        return json(200, describeDomain(domain, dialect), changed);
      });
    },
  });
}

function disconnectDomain(world: World): Operation {
  const { dialect, domains, idempotency } = world;
  return operation({
    name: 'disconnectDomain',
    method: 'POST',
    path: `${path}/{hostname}/disconnect`,
    params: ofDomain,
    query: noQuery,
    body: () => z.strictObject({ idempotencyKey: idempotencyKey(dialect) }),
    handle: ({ params, body }) => {
      const scope = `disconnectDomain ${params.hostname}`;
      return idempotency.once(scope, body.idempotencyKey, body, async () => {
        domains.disconnect(params.hostname);
        return json(200, applyDialect(dialect, { hostname: params.hostname }), true);
      });
    },
  });
}

function knownProject({ dialect, projects }: World, wanted: string): string {
  const project = projects.find(({ id }) => id === wanted.toLowerCase());
  if (project) return project.id;
  throw new ServiceError(Number(dialect.unknownProject), 'unknown_project', 'No such project.');
}

function assign({ dialect }: World, domain: ConnectedDomain, projectId: string | null): boolean {
  const other = domain.projectId !== null && projectId !== null && domain.projectId !== projectId;
  if (other && dialect.assignedElsewhere === '409') {
    const message = `The domain ${domain.hostname} is assigned to project ${domain.projectId}.`;
    throw new ServiceError(409, 'domain_assigned', message);
  }
  return domain.assign(projectId);
}
