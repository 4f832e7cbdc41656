import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { hostname } from '../domains/hostname.ts';
import { notFound } from '../errors.ts';
import { json } from '../reply.ts';
import { noBody, noParams, noQuery, type Operation, operation } from '../router.ts';
import type { World } from '../world.ts';
import { describeDomain, describeDomains } from './connected-domain-answer.ts';

const path = '/connected-domains';

const ofDomain = z.object({ hostname });
const revalidating = z.strictObject({
  revalidate: z.enum(['true', 'false']).default('false'),
});

/** The operations of section "Connected domains" that only look. */
export function connectedDomainReads(world: World): Operation[] {
  return [listConnectedDomains(world), readConnectedDomain(world), readStatuses(world)];
}

function listConnectedDomains({ dialect, domains }: World): Operation {
  return operation({
    name: 'listConnectedDomains',
    method: 'GET',
    path,
    params: noParams,
    query: noQuery,
    body: noBody,
    handle: () => json(200, describeDomains(domains.all, dialect)),
  });
}

function readConnectedDomain(world: World): Operation {
  const { dialect, domains } = world;
  return operation({
    name: 'readConnectedDomain',
    method: 'GET',
    path: `${path}/{hostname}`,
    params: ofDomain,
    query: revalidating,
    body: noBody,
    handle: async ({ params, query }) => {
      await holdUp(world, query.revalidate === 'true');
      const domain = domains.get(params.hostname);
      if (query.revalidate === 'true') domain.revalidate();
      return json(200, describeDomain(domain, dialect));
    },
  });
}

function readStatuses(world: World): Operation {
  const { dialect, domains } = world;
  return operation({
    name: 'readConnectedDomainStatuses',
    method: 'POST',
    path: `${path}/status`,
    params: noParams,
    query: noQuery,
    body: () =>
      z.strictObject({
        hostnames: z.array(hostname).min(1).max(50),
        revalidate: z.boolean().default(false),
      }),
    handle: async ({ body }) => {
      await holdUp(world, body.revalidate);
      const unknown = body.hostnames.some((name) => !domains.find(name));
      if (unknown && dialect.unknownInStatuses === '404') throw notFound('A connected domain');
      const found = body.hostnames.flatMap((name) => domains.find(name) ?? []);
      if (body.revalidate) for (const domain of new Set(found)) domain.revalidate();
      return json(200, describeDomains(found, dialect));
    },
  });
}

/** Lets a slow revalidation take its time. It comes before the look, so that the look is one moment. */
async function holdUp({ dialect, signal }: World, revalidates: boolean): Promise<void> {
  if (!revalidates || dialect.revalidation !== 'slow') return;
  await delay(dialect.revalidateMs, undefined, { signal });
}
