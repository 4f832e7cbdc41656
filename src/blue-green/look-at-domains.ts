import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { findDomain } from '../domains/domain-writes.ts';
import { notForUs } from '../domains/guard.ts';
import type { Run } from '../frame/run.ts';
import { ServiceError } from '../service/errors.ts';

/** All connected domains that a list shows; none where the key may not list them. */
async function listShown({ client }: Run): Promise<ConnectedDomain[]> {
  return await client.listConnectedDomains().catch((error: unknown) => {
    if (error instanceof ServiceError && notForUs.has(error.status ?? 0)) return [];
    throw error;
  });
}

/**
 * Looks at some domains by their names. One that the list does not show is asked for itself: the list may end early,
 * or not be for this key.
 *
 * @returns those that are connected
 */
export async function lookAtDomains(
  run: Run,
  hostnames: readonly string[],
): Promise<ReadonlyMap<string, ConnectedDomain>> {
  const listed = await listShown(run);
  const found = await Promise.all(
    hostnames.map(
      async (hostname) =>
        listed.find((domain) => domain.hostname.toLowerCase() === hostname) ??
        (await findDomain(run, hostname)),
    ),
  );
  return new Map(
    hostnames.flatMap((hostname, index) => {
      const domain = found[index];
      return domain === undefined ? [] : [[hostname, domain] as const];
    }),
  );
}
