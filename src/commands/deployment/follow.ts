import type { Reading } from '../../core/deployment/status.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { Host } from '../host.ts';
import { gatherEvidence } from './evidence.ts';
import type { Site } from './site.ts';
import { pollDeployment, type SourceContext, streamDeployment } from './sources.ts';
import { type End, type Source, Tracker } from './tracker.ts';

/** How often a deployment without news is mentioned, in milliseconds. */
const heartbeat = 30_000;

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

async function beat(host: Host, tracker: Tracker, signal: AbortSignal): Promise<never> {
  for (;;) {
    await host.clock.sleep(heartbeat, signal);
    const { status, elapsed } = tracker;
    host.report({ type: 'heartbeat', status, elapsed });
  }
}

const sourcesOf = (wait: FollowRequest['wait']): Source[] =>
  wait === 'auto' ? ['stream', 'poll'] : [wait];

/**
 * Follows a deployment to its real end. Stream and polls start together; where neither can be read, the
 * production runtime and the site stand in. The first definite end wins, and the rest is closed.
 *
 * @throws the run's signal's reason
 */
export async function followDeployment(
  client: ServiceClient,
  host: Host,
  request: FollowRequest,
): Promise<Followed> {
  const { deploymentId, acceptedAt, read } = request;
  const sources = sourcesOf(request.wait);
  const tracker = new Tracker({ host, read, sources, acceptedAt });
  tracker.accepted(request.status);
  const ended = new AbortController();
  const signal = AbortSignal.any([host.signal, ended.signal]);
  const context: SourceContext = { client, host, tracker, deploymentId, read, signal };
  const { projectId, wasPending, site, siteProves } = request;
  const loops = [
    ...(sources.includes('stream') ? [streamDeployment(context, request.eventsPath)] : []),
    ...(sources.includes('poll') ? [pollDeployment(context, request.statusPath)] : []),
    gatherEvidence({
      client,
      host,
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
