import { planSync } from '../environment/plan-sync.ts';
import type { SyncRequest } from '../environment/sync.ts';
import { type KnownVariables, observeVariables } from '../environment/sync-variables.ts';
import { guardProject, listDomains } from '../guard.ts';
import { findOwnDomain, guardName } from '../preview/preview.ts';
import type { Deploying } from './context.ts';
import { pageCanProve } from './deploy-and-verify.ts';

/** Looks at all that the run depends on. */
export async function observe(run: Deploying) {
  const { request } = run;
  const { preview, guarded, projectId } = request;
  const [known, domains, pageProves] = await Promise.all([
    observeVariables(run, projectId, request.ledgers),
    preview !== undefined || guarded ? listDomains(run) : undefined,
    request.deploy && pageCanProve(run),
  ]);
  const own = preview && (await findOwnDomain(run, preview, domains));
  return { known, domains, own, pageProves };
}

/** Plans the sync, and tells how much there is to do. */
export async function planVariables(
  { host, request }: Deploying,
  known: KnownVariables,
): Promise<SyncRequest> {
  const { projectId, variables, onConflict: policy, prune } = request;
  const plan = await planSync(host, { ...known, projectId, variables, policy, prune });
  return { ...known, policy, plan };
}

/** Ends the run where the code must not go. @throws EarlyEnd */
export function guardWrites(
  { host, request: { preview, guarded, projectId } }: Deploying,
  { domains, own }: Pick<Awaited<ReturnType<typeof observe>>, 'domains' | 'own'>,
): void {
  if (!guarded) return;
  // What was leased was looked at before, and is ours since.
  const isLeased = preview !== undefined && preview.projects.length > 0;
  if (preview !== undefined && !isLeased) guardName(preview, own);
  // Another preview that tries the same project in this moment sees that it is ours, and leaves it.
  const isPassing = (name: string) => isLeased && preview.matcher.matches(name);
  const sites = (domains ?? []).filter(({ hostname }) => !isPassing(hostname));
  guardProject(host, projectId, sites, preview?.hostname);
}
