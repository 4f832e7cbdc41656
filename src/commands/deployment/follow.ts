import { readAnswer } from '../../core/deployment/answer.ts';
import type { Reading } from '../../core/deployment/status.ts';
import { readStreamEvent } from '../../core/deployment/stream-event.ts';
import { beat } from '../follow/beat.ts';
import { pollStatus, type SourceContext, type Subject, streamEvents } from '../follow/sources.ts';
import { type End, type Source, Tracker } from '../follow/tracker.ts';
import type { Host } from '../host.ts';
import type { Run } from '../run.ts';
import { gatherEvidence } from './evidence.ts';
import type { Site } from './site.ts';

/** A deployment to follow. */
export interface FollowRequest {
  projectId: string;
  deploymentId: string;
  /** The status that came with the acceptance. */
  status: string;
  /** When it was accepted, in milliseconds since the epoch. */
  acceptedAt: number;
  wait: 'auto' | 'stream' | 'poll';
  /** Filled in. */
  statusPath: string;
  /** Filled in. */
  eventsPath: string;
  read: (word: string) => Reading;
  wasPending: boolean;
  site?: Site;
  siteProves: boolean;
}

/** A followed deployment: its end, and the status as last seen. */
export interface Followed extends End {
  status: string;
}

/** A line of the build's log for each line of the stream's text. @throws the run's signal's reason */
async function logLines(host: Host, text: string): Promise<void> {
  for (const line of text.split(/\r\n|\r|\n/)) {
    const shown = host.clean(line);
    if (shown !== '') host.report({ type: 'build-log', text: shown });
    await host.drained();
    host.signal.throwIfAborted();
  }
}

function subjectOf({ client, host }: Run, request: FollowRequest): Subject {
  const { deploymentId, statusPath, eventsPath, read } = request;
  return {
    noun: 'deployment',
    statusPath,
    eventsPath,
    look: async (signal) => {
      const operation = 'read the deployment';
      const body = await client.look({ operation, path: statusPath, signal });
      return readAnswer(body, deploymentId);
    },
    readEvent: (name, data) => readStreamEvent(name, data, deploymentId, read),
    onText: (text) => logLines(host, text),
  };
}

const hint = 'If it means the end, add it to success-states or failure-states.';

const sourcesOf = (wait: FollowRequest['wait']): Source[] =>
  wait === 'auto' ? ['stream', 'poll'] : [wait];

/**
 * Follows a deployment to its real end. Stream and polls start together; where neither can be read, the
 * production runtime and the site stand in. The first definite end wins, and the rest is closed.
 *
 * @throws the run's signal's reason
 */
export async function followDeployment(run: Run, request: FollowRequest): Promise<Followed> {
  const { host } = run;
  const { acceptedAt, read } = request;
  const sources = sourcesOf(request.wait);
  const tracker = new Tracker({ host, noun: 'deployment', read, sources, acceptedAt, hint });
  tracker.accepted(request.status);
  const ended = new AbortController();
  const signal = AbortSignal.any([host.signal, ended.signal]);
  const subject = subjectOf(run, request);
  const context: SourceContext = { ...run, tracker, subject, signal };
  const { projectId, wasPending, site, siteProves } = request;
  const loops = [
    ...(sources.includes('stream') ? [streamEvents(context)] : []),
    ...(sources.includes('poll') ? [pollStatus(context)] : []),
    gatherEvidence({
      ...run,
      tracker,
      projectId,
      wasPending,
      siteProves,
      signal,
      ...(site === undefined ? {} : { site }),
    }),
    beat(host, tracker, signal),
  ];
  try {
    const end = await Promise.race([tracker.end, ...loops]);
    return { ...end, status: tracker.status };
  } finally {
    ended.abort();
    await Promise.allSettled(loops);
  }
}
