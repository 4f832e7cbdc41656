import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { listDomains, notForUs } from '../domains/guard.ts';
import { otherDomains } from '../domains/model/domain-state.ts';
import type { Beginning, DeployRequest } from '../release/context.ts';
import { ServiceError } from '../service/errors.ts';

/** The domains that a run must leave alone: but for those of other previews that try the same project in this moment. */
export function sitesOf(
  { target }: Pick<DeployRequest, 'target'>,
  domains: readonly ConnectedDomain[],
): readonly ConnectedDomain[] {
  if (target.kind !== 'lease') return domains;
  return domains.filter(({ hostname }) => !target.preview.matcher.matches(hostname));
}

/** The connected domains; undefined where they may not be listed, which is told once. */
async function listOnce(run: Beginning): Promise<readonly ConnectedDomain[] | undefined> {
  // A run with a preview lists them again, and tells it then.
  if (run.request.target.preview === undefined) return await listDomains(run);
  return await run.client.listConnectedDomains().catch((error: unknown) => {
    if (error instanceof ServiceError && notForUs.has(error.status ?? 0)) return undefined;
    throw error;
  });
}

/**
 * Finds out whether a run of code that is not merged goes to production: to a project that serves domains other than
 * its preview's own. Where the domains may not be listed, it counts as that if production needs a verified preview.
 *
 * @returns the run, which production's gate is for then
 */
export async function decidePlace<Run extends Beginning>(
  run: Run,
  projectId: string,
): Promise<Run> {
  const { request } = run;
  const { place, requireVerified, target } = request;
  if (place === undefined) return run;
  const domains = await listOnce(run);
  const others =
    domains && otherDomains(sitesOf(request, domains), projectId, target.preview?.hostname);
  const isGated = requireVerified !== undefined;
  const isProduction = others === undefined ? isGated : others.length > 0;
  place.decide(isProduction, projectId);
  if (!isProduction || !isGated) return run;
  return { ...run, request: { ...request, requireVerified: true } };
}
