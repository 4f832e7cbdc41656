import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { otherDomains } from '../domains/evaluate.ts';
import { guardProject, listDomains, noPreview, notForUs } from '../domains/guard.ts';
import { isAssignedTo } from '../domains/place-domain.ts';
import { EarlyEnd } from '../frame/step.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { safe } from '../kernel/text/safe.ts';
import { findOwnDomain, guardMove, guardName } from '../previews/preview.ts';
import type { DeployRequest, ReleaseContext, SetupContext } from '../release/context.ts';
import { ServiceError } from '../service/errors.ts';
import { observeVariables } from '../variables/sync-variables.ts';
import { whyOlder } from './never-backwards.ts';
import { whyUnverified } from './promotion.ts';
import { checksCanProve } from './verify.ts';

/** Why earlier deployments forbid this one, before it writes anything; undefined if they do not. */
export async function whyHeldBack(run: SetupContext): Promise<EarlyEnd | undefined> {
  return (await whyOlder(run, false)) ?? (await whyUnverified(run));
}

/**
 * Checks earlier deployments before the first write, and then records the run, unless it is not known yet whether it
 * deploys.
 *
 * @throws EarlyEnd if it may not
 */
export async function guardHistory(run: SetupContext): Promise<void> {
  const { history, ifNeeded } = run.request;
  if (history === undefined) return;
  const why = await whyHeldBack(run);
  if (why !== undefined) throw why;
  // Not awaited: other runs need it only once something is deployed.
  if (ifNeeded !== true) void history.announce();
}

/** The domains that a run must not touch; not those of other previews that try to lease the same project. */
export function sitesOf(
  { target }: Pick<DeployRequest, 'target'>,
  domains: readonly ConnectedDomain[],
): readonly ConnectedDomain[] {
  if (target.kind !== 'lease') return domains;
  return domains.filter(({ hostname }) => !target.preview.matcher.matches(hostname));
}

/** The connected domains; undefined if they may not be listed, which is reported once. */
async function listOnce(run: SetupContext): Promise<readonly ConnectedDomain[] | undefined> {
  // A run with a preview lists them again, and reports it then.
  if (run.request.target.preview === undefined) return await listDomains(run);
  return await run.client.listConnectedDomains().catch((error: unknown) => {
    if (error instanceof ServiceError && notForUs.has(error.status ?? 0)) return undefined;
    throw error;
  });
}

/**
 * Finds out whether a run of unmerged code goes to production: to a project that serves other domains than its preview's.
 * If the domains may not be listed, it counts as that if production needs a verified preview.
 *
 * @returns the run, for production with its gate
 */
export async function decidePlace<Run extends SetupContext>(
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

/** Reads all that the run depends on. */
export async function observe(run: ReleaseContext) {
  const { request, projectId } = run;
  const { guarded } = request;
  const { preview } = request.target;
  const [known, domains, checksProve] = await Promise.all([
    observeVariables(run, projectId, request.ledgers),
    preview !== undefined || guarded ? listDomains(run) : undefined,
    request.deploy && checksCanProve(run),
  ]);
  const own = preview && (await findOwnDomain(run, preview, domains));
  return { known, domains, own, checksProve };
}

/** Ends a run of code that must not go live there; warns if it is no preview. @throws EarlyEnd */
export function guardWrites(
  { host, request, projectId }: ReleaseContext,
  { domains, own }: Pick<Awaited<ReturnType<typeof observe>>, 'domains' | 'own'>,
): void {
  const { target, guarded, deploy, isPullRequest, requireVerified } = request;
  const { preview } = target;
  // A leased project was checked before the lease.
  if (guarded && target.kind === 'project' && preview) guardName(preview, own);
  const isPlaced = target.kind === 'lease' || isAssignedTo(own, projectId);
  if (preview && !isPlaced) guardMove(host, preview, own);
  if (!guarded) return;
  if (domains === undefined && requireVerified !== undefined) {
    const message = safe`Nothing was written or deployed: require-verified can't be decided, because the connected domains can't be listed. The API key may lack this permission.`;
    throw new EarlyEnd('failed', diagnose('SD6019', message));
  }
  guardProject(host, projectId, sitesOf({ target }, domains ?? []), preview?.hostname);
  if (isPullRequest && deploy && preview === undefined) {
    host.report({ type: 'warning', diagnostic: noPreview });
  }
}
