import { productionState } from '../../core/deployment/production.ts';
import { pollPause } from '../../core/deployment/schedule.ts';
import { joinSafe, type SafeText, safe } from '../../core/text/safe.ts';
import { ServiceError } from '../../service/errors.ts';
import type { Tracker } from '../follow/tracker.ts';
import type { Deploying } from './context.ts';
import { otherPaths } from './wait.ts';

/** What may confirm a deployment's success beside its status. */
export interface Evidence extends Deploying {
  tracker: Tracker;
  /** True if changes waited for the production runtime when the deployment was posted. */
  wasPending: boolean;
  /** True if the page was not good before, so that it can prove the deployment. */
  pageProves: boolean;
  signal: AbortSignal;
}

async function lookAtProduction({ client, tracker, projectId, signal }: Evidence): Promise<void> {
  const environment = await client.getEnvironment(projectId, signal);
  if (productionState(environment) !== 'published') return;
  tracker.conclude({ outcome: 'succeeded', confirmedBy: 'production' });
}

async function lookAtPage({ host, tracker, page, signal }: Evidence): Promise<void> {
  const look = await page?.look(signal);
  if (look?.isGood !== true || page === undefined) return;
  host.report({
    type: 'page',
    url: page.url,
    says: look.says,
    elapsed: tracker.statusReporter.elapsed,
  });
  tracker.conclude({ outcome: 'succeeded', confirmedBy: 'site' });
}

/** Why the page proves nothing; undefined if there is none. */
function explainPage({ request, page }: Evidence): SafeText | undefined {
  if (page === undefined) return undefined;
  const { url, last } = page;
  if (last?.isGood !== true) {
    const says = last === undefined ? safe`no answer` : last.says;
    return safe`${url} proves nothing, because what it had before the deployment (${says}) may pass by itself`;
  }
  return request.verify?.namesCommit === true
    ? safe`${url} proves nothing, because it showed the commit before the deployment already`
    : safe`${url} proves nothing, because it was good before the deployment already`;
}

/** What would have the page prove something; undefined if nothing would. */
function helpOfPage({ request: { verify, commit } }: Evidence): SafeText | undefined {
  if (verify === undefined) return safe`give verify-url`;
  const mayName = commit !== 'HEAD' && !verify.namesCommit;
  return mayName ? safe`put {sha} into verify-contains, and the commit into the page` : undefined;
}

/** Why nothing confirmed the end, and which inputs would help. */
function explainUnconfirmed(evidence: Evidence): SafeText {
  const tried = evidence.tracker.sources.absences;
  const asked = tried.length === 0 ? safe`` : safe`, asked at ${joinSafe(tried, ' and ')}`;
  const page = explainPage(evidence);
  const why = page === undefined ? safe`` : safe` ${page}.`;
  const help = [otherPaths(evidence), helpOfPage(evidence)].filter((way) => way !== undefined);
  return safe`The service accepted the deployment and offers nothing that confirms its end${asked}.${why} To have it confirmed, ${joinSafe(help, ', or ')}`;
}

/**
 * Looks for other evidence whenever the status cannot be read or understood: the production runtime turning
 * from pending to published, and the site itself. Where there can be none, it says so.
 */
export async function gatherEvidence(evidence: Evidence): Promise<never> {
  const { host, tracker, wasPending, page, pageProves, signal } = evidence;
  const canProve = wasPending || (page !== undefined && pageProves);
  for (;;) {
    if (tracker.sources.hasNoSource && !canProve) {
      const message = explainUnconfirmed(evidence);
      tracker.conclude({ outcome: 'unconfirmed', message });
    }
    if (tracker.hasNoStatus && wasPending) {
      await lookAtProduction(evidence).catch((error: unknown) => {
        signal.throwIfAborted();
        if (!(error instanceof ServiceError)) throw error;
        tracker.statusReporter.troubled('production', error.message);
      });
    }
    if ((tracker.hasNoStatus || tracker.statusReporter.isUnknownWord) && pageProves)
      await lookAtPage(evidence);
    await host.clock.sleep(pollPause(tracker.statusReporter.elapsed, host.random()), signal);
  }
}
