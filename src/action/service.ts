import { type AccessValues, openTransport } from '../frame/first-look.ts';
import { type Host, longestLine, longestText } from '../frame/host.ts';
import type { Progress } from '../frame/progress.ts';
import type { Run } from '../frame/run.ts';
import { userAgent } from '../frame/version.ts';
import type { Log } from '../github/log.ts';
import { saveState } from '../github/runner-files.ts';
import { idempotencyKey, type RunIdentity } from '../kernel/idempotency.ts';
import { formatDuration } from '../kernel/text/duration.ts';
import type { Redact } from '../kernel/text/redact.ts';
import { createSanitize } from '../kernel/text/sanitize.ts';
import { createClient } from '../service/client.ts';
import { systemClock } from '../service/clock.ts';
import type { Transport } from '../service/http.ts';
import { logEntries } from './log-entries.ts';
import { keepState } from './post/kept-state.ts';
import { type KeptWayBack, postState } from './post/post-state.ts';
import type { Bounds } from './preflight/bounds.ts';

/** A pause between tries of at least so many milliseconds is told. */
const longPause = 5000;

/** The service as a command sees it on GitHub's runner. */
export interface OpenService extends Run, AsyncDisposable {}

/** What a run asks the service with. */
interface ServiceOptions {
  values: AccessValues;
  /** The way that is open already, perhaps with a look under way. */
  transport: Transport | undefined;
  log: Log;
  redact: Redact;
  bounds: Bounds;
  identity: RunIdentity;
}

/** Makes what keeps for the post step which deployment was asked for, and whether it succeeded: the run's own, then that of a way back. */
function deploymentKeeper(): (progress: Progress) => void {
  let back: KeptWayBack | undefined;
  const keepBack = (known: KeptWayBack) => {
    back = known;
    keepState(postState.wayBack, back);
  };
  return (progress) => {
    switch (progress.type) {
      case 'rolling-back':
        return keepBack({ commit: progress.commit });
      case 'deployment-requested':
        if (back !== undefined) return keepBack({ ...back, isRequested: true });
        return saveState(postState.requested, 'true');
      case 'deployment-accepted':
        if (back !== undefined) return keepBack({ ...back, deploymentId: progress.deploymentId });
        return saveState(postState.deployment, progress.deploymentId);
      case 'deployment-succeeded':
        if (back !== undefined) return keepBack({ ...back, deploymentEnd: 'succeeded' });
        return saveState(postState.succeeded, 'true');
      default:
        return undefined;
    }
  };
}

/** Opens the service for a run whose log and post step are told what happens. */
export function openService({
  values: { 'base-url': baseUrl, 'api-key': apiKey },
  transport,
  log,
  redact,
  bounds: { signal, deadline },
  identity,
}: ServiceOptions): OpenService {
  const clock = systemClock;
  const random = Math.random;
  const cleanText = createSanitize(redact);
  const way = transport ?? openTransport({ 'base-url': baseUrl, 'api-key': apiKey }, redact);
  const access = { baseUrl, apiKey, userAgent, transport: way };
  const bounds = { clean: cleanText, clock, deadline, random, signal };
  const client = createClient({
    ...access,
    ...bounds,
    onPause: (milliseconds, error) => {
      if (milliseconds < longPause) return;
      const text = `Waiting ${formatDuration(milliseconds)}, as the service asks. ${error.message}`;
      log.write({ kind: 'line', text });
    },
  });
  const keepDeployment = deploymentKeeper();
  const host: Host = {
    clean: cleanText,
    cleanLine: createSanitize(redact, longestLine),
    cleanText: createSanitize(redact, longestText),
    clock,
    random,
    signal,
    drained: () => log.drained(signal),
    report: (progress) => {
      if (progress.type === 'started') saveState(postState.project, progress.projectId);
      keepDeployment(progress);
      if (progress.type === 'moving') keepState(postState.moving, progress);
      for (const entry of logEntries(progress)) log.write(entry);
    },
  };
  const run = {
    client,
    host,
    keyFor: (operation: string, target: string) => idempotencyKey(identity, operation, target),
    started: clock.now(),
  };
  const outlive: Run['outlive'] = (milliseconds) => {
    const more = AbortSignal.timeout(milliseconds);
    const end = { ...bounds, deadline: clock.now() + milliseconds, signal: more };
    return { ...run, client: createClient({ ...access, ...end }), host: { ...host, signal: more } };
  };
  return {
    ...run,
    outlive,
    [Symbol.asyncDispose]: () => client.close(),
  };
}
