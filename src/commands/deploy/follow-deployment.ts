import { readAnswer } from '../../core/deployment/answer.ts';
import type { StatusReading } from '../../core/deployment/status.ts';
import { readStreamEvent } from '../../core/deployment/stream-event.ts';
import { safe } from '../../core/text/safe.ts';
import { type Followed, follow } from '../follow/follow.ts';
import type { Subject } from '../follow/sources.ts';
import type { Host } from '../host.ts';
import type { Run } from '../run.ts';
import { gatherEvidence } from './evidence.ts';
import type { Page } from './page.ts';

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
  read: (word: string) => StatusReading;
  wasPending: boolean;
  page?: Page;
  pageProves: boolean;
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
    noun: safe`deployment`,
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

/**
 * Follows a deployment to its real end. Where neither stream nor polls can be read, the production runtime and the
 * site stand in.
 *
 * @throws the run's signal's reason
 */
export async function followDeployment(run: Run, request: FollowRequest): Promise<Followed> {
  return await follow(run, {
    ...request,
    subject: subjectOf(run, request),
    hint: safe`If it means the end, add it to success-states or failure-states.`,
    watch: (tracker, signal) => gatherEvidence({ ...run, ...request, tracker, signal }),
  });
}
