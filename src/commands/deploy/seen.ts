import { safe } from '../../core/text/safe.ts';
import { ServiceError } from '../../service/errors.ts';
import type { Deploying } from './context.ts';
import { type AcceptedDeployment, requestDeployment } from './request-deployment.ts';

/** How long the service may take to see a push, in milliseconds, and the first pause before it is asked again. */
const longestWait = 60_000;
const firstPause = 500;
const longestPause = 5000;

/** What a service may answer to a commit that is not in its version history; nothing was begun then. */
const unknownVersion: ReadonlySet<number> = new Set([400, 404, 422]);

const mayBeUnseen = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && !error.mayHaveArrived && unknownVersion.has(error.status ?? 0);

/**
 * Posts the deployment. A commit that this run has pushed is posted again for a while if the service does not know
 * it, because it may see a push late; any other is posted once.
 *
 * @param pushed true if this run has pushed it
 */
export async function postOnceSeen(run: Deploying, pushed: boolean): Promise<AcceptedDeployment> {
  const { host, request, projectId, found } = run;
  const { commit } = request;
  const end = host.clock.now() + longestWait;
  for (let tries = 1, pause = firstPause; ; tries += 1, pause = Math.min(2 * pause, longestPause)) {
    found({ isRequested: true });
    try {
      return await requestDeployment(keyedFor(run, tries), { projectId, commit });
    } catch (error) {
      if (!pushed || !mayBeUnseen(error)) throw error;
      const next = error.pauseAfter(pause);
      if (host.clock.now() + next > end) {
        const text = safe`The commit was pushed to ${host.clean(request.bringing?.branch ?? '')}, and the service did not know it a minute later. If it knows the commits of its default branch only, git-branch must be that one.`;
        host.report({ type: 'warning', text });
        throw error;
      }
      if (tries === 1) {
        const text = safe`The service does not know the commit that was pushed just now, and is asked again for a minute. ${error.message}`;
        host.report({ type: 'note', text });
      }
      found({ isRequested: false });
      await host.clock.sleep(next, host.signal);
    }
  }
}

/** The run with keys of its own for each try: a service may give a key's first answer again, a refusal too. */
function keyedFor(run: Deploying, tries: number): Deploying {
  if (tries === 1) return run;
  return { ...run, keyFor: (operation, target) => run.keyFor(operation, `${target} ${tries}`) };
}
