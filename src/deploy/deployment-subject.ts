import { readAnswer } from '../follow/model/answer.ts';
import type { StatusReading } from '../follow/model/status.ts';
import { readStreamEvent } from '../follow/model/stream-event.ts';
import type { Subject } from '../follow/sources.ts';
import type { Run } from '../frame/run.ts';
import { safe } from '../kernel/text/safe.ts';
import type { BuildLog } from './build-log.ts';

/** A deployment to follow, and where that can be read. */
interface FollowedDeployment extends Pick<Subject, 'statusPath' | 'eventsPath'> {
  deploymentId: string;
  read: (word: string) => StatusReading;
  log: BuildLog;
}

/** A deployment as it is followed. */
export function deploymentSubject(
  { client }: Run,
  { deploymentId, statusPath, eventsPath, read, log }: FollowedDeployment,
): Subject {
  return {
    noun: safe`deployment`,
    statusPath,
    eventsPath,
    look: async (signal) => {
      const operation = 'read the deployment';
      const body = await client.look({ operation, path: statusPath, signal });
      return readAnswer(body, deploymentId);
    },
    readEvent: (name, data) => {
      const event = readStreamEvent(name, data, deploymentId, read);
      const { observed } = event;
      const isSure = observed?.certainty === 'status';
      log.eventSeen(isSure && read(observed.status).meaning !== 'in-progress');
      return event;
    },
    onText: (text) => log.take(text),
    onClosed: () => log.closed(),
  };
}
