import { isAssignedTo } from '../domains/domain-writes.ts';
import { guardProject, listDomains, noPreview } from '../domains/guard.ts';
import { EarlyEnd } from '../frame/host.ts';
import { coded } from '../kernel/catalogue/coded.ts';
import { safe } from '../kernel/text/safe.ts';
import { findOwnDomain, guardMove, guardName } from '../previews/preview.ts';
import type { Deploying } from '../release/context.ts';
import { observeVariables } from '../variables/sync-variables.ts';
import { sitesOf } from './decide-place.ts';
import { checksCanProve } from './verify.ts';

/** Looks at all that the run depends on. */
export async function observe(run: Deploying) {
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

/** Ends the run where the code must not go, and warns where it goes further than a preview. @throws EarlyEnd */
export function guardWrites(
  { host, request, projectId }: Deploying,
  { domains, own }: Pick<Awaited<ReturnType<typeof observe>>, 'domains' | 'own'>,
): void {
  const { target, guarded, deploy, isPullRequest, requireVerified } = request;
  const { preview } = target;
  // What was leased was looked at before, and is ours since.
  if (guarded && target.kind === 'project' && preview) guardName(preview, own);
  const isPlaced = target.kind === 'lease' || isAssignedTo(own, projectId);
  if (preview && !isPlaced) guardMove(host, preview, own);
  if (!guarded) return;
  if (domains === undefined && requireVerified !== undefined) {
    const message = safe`Nothing was written or deployed: the connected domains cannot be listed, so whether this is production, where require-verified counts, is not known. Give the key the right to list them.`;
    throw new EarlyEnd('failed', coded('SD6019', message));
  }
  guardProject(host, projectId, sitesOf({ target }, domains ?? []), preview?.hostname);
  if (isPullRequest && deploy && preview === undefined) {
    host.report({ type: 'warning', text: noPreview });
  }
}
