import { productionState } from '../../core/deployment/evidence.ts';
import { pollPause } from '../../core/deployment/schedule.ts';
import { joinSafe, type SafeText, safe } from '../../core/text/safe.ts';
import { ServiceError } from '../../service/errors.ts';
import type { Tracker } from '../follow/tracker.ts';
import type { Run } from '../run.ts';
import type { Site } from './site.ts';

/** What may confirm a deployment's success beside its status. */
export interface Evidence extends Run {
  tracker: Tracker;
  projectId: string;
  /** True if changes waited for the production runtime when the deployment was posted. */
  wasPending: boolean;
  /** The page under `verify-url`. */
  site?: Site;
  /** True if the page was not there before, so that it can prove the deployment. */
  siteProves: boolean;
  signal: AbortSignal;
}

async function lookAtProduction({ client, tracker, projectId, signal }: Evidence): Promise<void> {
  const environment = await client.getEnvironment(projectId, signal);
  if (productionState(environment) !== 'published') return;
  tracker.conclude({ outcome: 'succeeded', witness: 'production' });
}

async function lookAtSite({ host, tracker, site, signal }: Evidence): Promise<void> {
  const look = await site?.look(signal);
  if (look?.isGood !== true || site === undefined) return;
  host.report({ type: 'page', url: site.url, says: look.says, elapsed: tracker.teller.elapsed });
  tracker.conclude({ outcome: 'succeeded', witness: 'site' });
}

/** Why nothing confirmed the end, and which inputs would help. */
function explainUnconfirmed({ tracker, site }: Evidence): SafeText {
  const tried = tracker.sources.absences;
  const asked = tried.length === 0 ? safe`` : safe`, asked at ${joinSafe(tried, ' and ')}`;
  const help =
    site === undefined
      ? safe`set status-path or events-path to where this service shows it, or give verify-url`
      : safe`${site.url} proves nothing, because it was not surely missing before the deployment: put {sha} into verify-contains`;
  return safe`The service accepted the deployment and offers nothing that confirms its end${asked}. To have it confirmed, ${help}`;
}

/**
 * Looks for other evidence whenever the status cannot be read or understood: the production runtime turning
 * from pending to published, and the site itself. Where there can be none, it says so.
 */
export async function gatherEvidence(evidence: Evidence): Promise<never> {
  const { host, tracker, wasPending, site, siteProves, signal } = evidence;
  const canProve = wasPending || (site !== undefined && siteProves);
  for (;;) {
    if (tracker.sources.isBlind && !canProve) {
      const message = explainUnconfirmed(evidence);
      tracker.conclude({ outcome: 'unconfirmed', message });
    }
    if (tracker.isInTheDark && wasPending) {
      await lookAtProduction(evidence).catch((error: unknown) => {
        signal.throwIfAborted();
        if (!(error instanceof ServiceError)) throw error;
        tracker.teller.troubled('production', error.message);
      });
    }
    if ((tracker.isInTheDark || tracker.teller.isPuzzling) && siteProves)
      await lookAtSite(evidence);
    await host.clock.sleep(pollPause(tracker.teller.elapsed, host.random()), signal);
  }
}
