import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { listNames } from '../kernel/names.ts';
import { safe } from '../kernel/text/safe.ts';
import { ServiceError } from '../service/errors.ts';
import { type Host, type Run, Stop } from '../step/step.ts';
import { otherDomains } from './evaluate.ts';

/** Statuses if the key may not list domains, or the service has no list. */
export const notForUs: ReadonlySet<number> = new Set([401, 403, 404, 405]);

/**
 * Lists the connected domains, to find the sites that a run would change.
 *
 * @returns undefined, with a warning, if the key may not list domains or the service has no list
 */
export async function listDomains({ client, host }: Run): Promise<ConnectedDomain[] | undefined> {
  try {
    return await client.listConnectedDomains();
  } catch (error) {
    if (!(error instanceof ServiceError) || !notForUs.has(error.status ?? 0)) throw error;
    const text = safe`Can't list the connected domains to check whether the project serves other sites. ${error.message}`;
    host.report({ type: 'warning', diagnostic: diagnose('SD6005', text) });
    return undefined;
  }
}

/**
 * Ends a run of unmerged code before it writes to a project that serves a site.
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
  const advice =
    ownHostname === undefined
      ? safe`Use another project, set allow-production: true, or sync a preview's variables with the deploy action.`
      : safe`Use a separate project for such runs, or set allow-production: true.`;
  const message = safe`Nothing was written: the project serves ${listNames(others, host.clean)}, and unmerged code must not change that site. ${advice}`;
  throw new Stop('failed', diagnose('SD6004', message));
}

/** The error if a pull request's commit would go to a project that is not a preview's own. */
export const noPreview = diagnose(
  'SD6009',
  safe`This pull request's commit replaces what the project itself serves. To avoid that, set preview-projects and preview-domain. If this is intended, set allow-production: true.`,
);
