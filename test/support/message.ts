import type { ProjectId } from '../../src/contract/safe-text.ts';
import { defaultPaths } from '../../src/follow/model/service.ts';
import { runMessage } from '../../src/messages/apply.ts';
import type { MessageIntent } from '../../src/messages/intent.ts';
import type { MessageReport } from '../../src/messages/render.ts';
import { type ReadReport, readReport } from './read-report.ts';
import type { World } from './world.ts';

/** Sends a message in a world, with everything at its default that a test does not care about. */
export async function sendNow(
  world: World,
  fields: Partial<MessageIntent> = {},
): Promise<ReadReport<MessageReport>> {
  return readReport(
    await runMessage(world, {
      projectId: world.project.id as ProjectId,
      body: { content: 'Make it blue.' },
      wait: 'auto',
      eventsPath: defaultPaths['message-events'],
      ...fields,
    }),
  );
}

/** The lines of what the turn said that were shown, in order. */
export function linesShown({ told }: World): string[] {
  return told.flatMap((progress) => (progress.type === 'build-log' ? [progress.text] : []));
}

/** How often the service was asked for an operation. */
export function countOf({ emulator }: Pick<World, 'emulator'>, operation: string): number {
  return emulator.journal.of(operation).length;
}
