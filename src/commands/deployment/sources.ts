import { readAnswer } from '../../core/deployment/answer.ts';
import { pollPause } from '../../core/deployment/schedule.ts';
import type { Reading } from '../../core/deployment/status.ts';
import { readStreamEvent } from '../../core/deployment/stream-event.ts';
import type { ServiceClient } from '../../service/client.ts';
import { ServiceError } from '../../service/errors.ts';
import type { ServerEvent } from '../../service/events.ts';
import type { Host } from '../host.ts';
import { BuildLog } from './build-log.ts';
import type { Source, Tracker } from './tracker.ts';

/** What both sources need. */
export interface SourceContext {
  client: ServiceClient;
  host: Host;
  tracker: Tracker;
  deploymentId: string;
  read: (word: string) => Reading;
  /** Aborts when the end is known, or the run ends. */
  signal: AbortSignal;
}

const forbidden: ReadonlySet<number> = new Set([401, 403]);
const passing: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** The pauses between two attempts to open a stream, in milliseconds, whatever the server asks. */
const shortestReopen = 500;
const longestReopen = 30_000;

/** Takes a failed look: the path is not there, or not for us, or only out of order. */
function noteFailure(
  { host, tracker }: SourceContext,
  source: Source,
  path: string,
  error: unknown,
) {
  if (!(error instanceof ServiceError)) throw error;
  const { fault, status } = error.details;
  const isPassing = status === undefined || status >= 500 || passing.has(status);
  if (fault !== 'body' && isPassing) {
    tracker.troubled(source, error.message);
  } else {
    const why = fault === 'body' ? (error.details.detail ?? 'unusable') : `answered ${status}`;
    tracker.missing(source, `${host.clean(path)} (${why})`, forbidden.has(status ?? 0));
  }
}

/** Reads the deployment's status again and again, until the signal aborts. */
export async function pollDeployment(context: SourceContext, path: string): Promise<never> {
  const { client, host, tracker, deploymentId, signal } = context;
  for (;;) {
    let asked: number | undefined;
    try {
      const body = await client.look({ operation: 'read the deployment', path, signal });
      const observed = readAnswer(body, deploymentId);
      if (observed !== undefined)
        tracker.saw('poll', observed, observed.isNamed ? 'status' : 'name');
      else tracker.missing('poll', `${host.clean(path)} (names no such deployment)`, false);
    } catch (error) {
      signal.throwIfAborted();
      noteFailure(context, 'poll', path, error);
      asked = error instanceof ServiceError ? error.retryAfter : undefined;
    }
    await tracker.pause(asked ?? pollPause(tracker.elapsed, host.random()), signal);
  }
}

function takeEvent(
  { host, tracker, deploymentId, read }: SourceContext,
  event: ServerEvent,
  log: BuildLog,
  isOld: boolean,
): void {
  const { observed, text } = readStreamEvent(event.name, event.data, deploymentId, read);
  if (text !== undefined && !isOld) {
    for (const line of text.split(/\r\n|\r|\n/)) {
      const shown = host.clean(line);
      if (shown !== '' && log.takes()) host.report({ type: 'build-log', text: shown });
    }
  }
  if (observed !== undefined) tracker.saw('stream', observed, observed.certainty);
}

/** Follows the deployment's events, resuming after each drop, until the signal aborts. */
export async function streamDeployment(context: SourceContext, path: string): Promise<never> {
  const { client, host, tracker, signal } = context;
  let lastEventId = '';
  let retry = 1000;
  let fruitless = 0;
  const log = new BuildLog();
  const listener = {
    onRetry: (milliseconds: number) => {
      retry = milliseconds;
    },
    onOversized: () => {
      const text = 'An event of more than a million characters was passed over.';
      host.report({ type: 'note', text });
    },
  };
  for (;;) {
    const operation = "read the deployment's events";
    try {
      const events = await client.openEvents({ operation, path, lastEventId, listener, signal });
      tracker.answered('stream');
      tracker.reopened('stream');
      log.reopened();
      for await (const event of events) {
        fruitless = 0;
        const isOld = event.lastEventId !== lastEventId && log.isOld(event.lastEventId);
        lastEventId = event.lastEventId;
        takeEvent(context, event, log, isOld);
        await host.drained();
      }
    } catch (error) {
      signal.throwIfAborted();
      noteFailure(context, 'stream', path, error);
    }
    signal.throwIfAborted();
    tracker.closed();
    const pause = Math.max(shortestReopen, Math.min(longestReopen, retry * 2 ** fruitless));
    await host.clock.sleep(pause, signal);
    fruitless = Math.min(fruitless + 1, 3);
  }
}
