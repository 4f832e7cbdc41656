import { productionState } from '../../core/deployment/production.ts';
import { pollPause } from '../../core/deployment/schedule.ts';
import { joinSafe, type SafeText, safe } from '../../core/text/safe.ts';
import { ServiceError } from '../../service/errors.ts';
import type { Tracker } from '../follow/tracker.ts';
import type { Run } from '../run.ts';
import type { Page } from './page.ts';

/** What may confirm a deployment's success beside its status. */
export interface Evidence extends Run {
  tracker: Tracker;
  projectId: string;
  /** True if changes waited for the production runtime when the deployment was posted. */
  wasPending: boolean;
  /** The page under `verify-url`; undefined if none is asked. */
  page: Page | undefined;
  /** True if the page was not there before, so that it can prove the deployment. */
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

/** Why nothing confirmed the end, and which inputs would help. */
function explainUnconfirmed({ tracker, page }: Evidence): SafeText {
  const tried = tracker.sources.absences;
  const asked = tried.length === 0 ? safe`` : safe`, asked at ${joinSafe(tried, ' and ')}`;
  const help =
    page === undefined
      ? safe`set status-path or events-path to where this service shows it, or give verify-url`
      : safe`${page.url} proves nothing, because it was not surely missing before the deployment: put {sha} into verify-contains`;
  return safe`The service accepted the deployment and offers nothing that confirms its end${asked}. To have it confirmed, ${help}`;
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
