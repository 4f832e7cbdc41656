import { planSync } from '../environment/plan.ts';
import { observeVariables } from '../environment/sync-variables.ts';
import { guardProject, listDomains } from '../guard.ts';
import { guardName, seeOwn } from '../preview/preview.ts';
import { siteCanProve } from './commit.ts';
import type { Deploying } from './context.ts';

/** Looks at all that the run depends on, and plans the sync. */
export async function observe(run: Deploying) {
  const { host, request } = run;
  const { preview, guarded, projectId, variables, onConflict: policy, prune } = request;
  const [known, domains, siteProves] = await Promise.all([
    observeVariables(run, projectId, request.ledgers),
    preview !== undefined || guarded ? listDomains(run) : undefined,
    request.deploy && siteCanProve(run),
  ]);
  const own = preview && (await seeOwn(run, preview, domains));
  const plan = await planSync(host, { ...known, projectId, variables, policy, prune });
  return { syncing: { ...known, policy, plan }, domains, own, siteProves };
}

/** Ends the run where the code must not go. @throws EarlyEnd */
export function guardWrites(
  { host, request: { preview, guarded, projectId } }: Deploying,
  { domains, own }: Pick<Awaited<ReturnType<typeof observe>>, 'domains' | 'own'>,
): void {
  if (!guarded) return;
  // What was leased was looked at before, and is ours since.
  if (preview?.projects.length === 0) guardName(preview, own);
  guardProject(host, projectId, domains ?? [], preview?.hostname);
}
