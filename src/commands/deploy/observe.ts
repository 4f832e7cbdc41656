import { guardProject, listDomains } from '../guard.ts';
import { guardName, seeOwn } from '../preview/preview.ts';
import { siteCanProve } from './commit.ts';
import type { Run } from './context.ts';

/** Looks at all that the run depends on. */
export async function observe(run: Run) {
  const { client, host, request, report } = run;
  const { preview, guarded } = request;
  const { projectId } = report;
  const [observed, ledger, domains, siteProves] = await Promise.all([
    client.getEnvironment(projectId),
    request.ledgers.open(projectId),
    preview !== undefined || guarded ? listDomains(client, host) : undefined,
    request.deploy && siteCanProve(run),
  ]);
  const own = preview && (await seeOwn(client, preview, domains));
  return { observed, ledger, domains, own, siteProves };
}

/** Ends the run where the code must not go. @throws EarlyEnd */
export function guardWrites(
  { host, request: { preview, guarded }, report: { projectId } }: Run,
  { domains, own }: Pick<Awaited<ReturnType<typeof observe>>, 'domains' | 'own'>,
): void {
  if (!guarded) return;
  // What was leased was looked at before, and is ours since.
  if (preview?.projects.length === 0) guardName(preview, own);
  guardProject(host, projectId, domains ?? [], preview?.hostname);
}
