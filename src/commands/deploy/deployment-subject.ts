import { readAnswer } from '../../core/deployment/answer.ts';
import type { StatusReading } from '../../core/deployment/status.ts';
import { readStreamEvent } from '../../core/deployment/stream-event.ts';
import { safe } from '../../core/text/safe.ts';
import type { Subject } from '../follow/sources.ts';
import type { Host } from '../host.ts';
import type { Run } from '../run.ts';

/** A deployment to follow, and where that can be read. */
interface FollowedDeployment extends Pick<Subject, 'statusPath' | 'eventsPath'> {
  deploymentId: string;
  read: (word: string) => StatusReading;
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

/** A deployment as it is followed. */
export function deploymentSubject(
  { client, host }: Run,
  { deploymentId, statusPath, eventsPath, read }: FollowedDeployment,
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
    readEvent: (name, data) => readStreamEvent(name, data, deploymentId, read),
    onText: (text) => logLines(host, text),
  };
}
