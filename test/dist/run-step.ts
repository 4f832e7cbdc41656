import type { EmulatedProject, Emulator } from '../../emulator/index.ts';
import {
  type ActionResult,
  type RunningAction,
  type RunOptions,
  startAction,
} from '../../emulator/runner.ts';
import { unpacked } from '../support/places.ts';
import { shareProcess, startWatched } from '../support/shared-process.ts';

export { root, unpacked } from '../support/places.ts';

/** Starts `dist/` as GitHub's runner does, for a push of the project's HEAD if nothing else is said. */
export async function startStep(
  emulator: Emulator,
  project: EmulatedProject,
  options: Partial<RunOptions> = {},
): Promise<RunningAction> {
  const event = options.event ?? {
    name: 'push',
    payload: { ref: 'refs/heads/main', after: await project.head() },
  };
  return startAction({
    action: unpacked,
    launch: startWatched,
    ...options,
    event,
    inputs: {
      'api-key': emulator.key,
      'base-url': emulator.url,
      'project-id': project.id,
      'github-deployment': 'false',
      ...options.inputs,
    },
  });
}

/** Runs `dist/` to its end. */
export async function runStep(
  emulator: Emulator,
  project: EmulatedProject,
  options: Partial<RunOptions> = {},
): Promise<ActionResult> {
  const step = await startStep(emulator, project, { launch: shareProcess, ...options });
  return await step.done;
}

/** Everything that a step left behind where people can read it. */
export function readable({ log, summary, outputs, annotations }: ActionResult): string {
  return JSON.stringify({ log, summary, outputs, annotations });
}
