import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { EarlyEnd, type Host } from '../frame/host.ts';
import type { Run } from '../frame/step.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { listNames } from '../kernel/text/list-names.ts';
import { safe } from '../kernel/text/safe.ts';
import { ServiceError } from '../service/errors.ts';
import { otherDomains } from './evaluate.ts';

/** The key may not list domains, or the service has no such list. */
export const notForUs: ReadonlySet<number> = new Set([401, 403, 404, 405]);

/**
 * Lists the domains that a run's writes would change the sites of.
 *
 * @returns undefined, with a warning, if the key may not list domains or the service does not
 */
export async function listDomains({ client, host }: Run): Promise<ConnectedDomain[] | undefined> {
  try {
    return await client.listConnectedDomains();
  } catch (error) {
    if (!(error instanceof ServiceError) || !notForUs.has(error.status ?? 0)) throw error;
    const text = safe`The connected domains cannot be listed, so it is not known whether the project serves others. ${error.message}`;
    host.report({ type: 'warning', diagnostic: diagnose('SD6005', text) });
    return undefined;
  }
}

/**
 * Ends a run of code that is not merged before it writes to a project that serves a site: it would deploy there, or
 * leave its variables to the next deployment.
 *
 * @param ownHostname the run's own preview, which it may change
 */
export function guardProject(
  host: Host,
  projectId: string,
  domains: readonly ConnectedDomain[],
  ownHostname: string | undefined,
): void {
  const others = otherDomains(domains, projectId, ownHostname);
  if (others.length === 0) return;
  const preview =
    ownHostname === undefined
      ? safe` If that is the preview of this very pull request, let the deploy action write its variables, with preview-domain.`
      : safe``;
  const message = safe`Nothing was written or deployed: the project serves ${listNames(others, host.clean)}, and what a pull request brings, or any run of code that is not merged, would reach that site. Give such runs a project of their own, or set allow-production: true.${preview}`;
  throw new EarlyEnd('failed', diagnose('SD6004', message));
}

/** What is told where a pull request's commit goes to a project that no preview has of its own. */
export const noPreview = diagnose(
  'SD6009',
  safe`This pull request's commit is for the project itself, and what is deployed to a project is what it serves everywhere. Give preview-projects and preview-domain, so that each pull request has a project and a hostname of its own, or set allow-production: true if the project is there for that.`,
);
