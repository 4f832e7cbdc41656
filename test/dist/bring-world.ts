import type { RunOptions } from '../../emulator/runner.ts';
import { type GitWorld, repository } from '../git/support.ts';
import { shareProcess } from '../support/shared-process.ts';
import { startStep } from './run-step.ts';

/** How a step differs from a push of the commit without a checkout. */
export type StepOptions = Partial<RunOptions>;

/** Starts `dist/` for a pushed commit that only GitHub has, with all that brings it. */
export function startBringing(world: GitWorld, commit: string, options: StepOptions = {}) {
  const { emulator, github, project } = world;
  return startStep(emulator, project, {
    event: { name: 'push', payload: { ref: 'refs/heads/main', after: commit } },
    ...options,
    github: {
      repository,
      serverUrl: github.url,
      apiUrl: github.url,
      token: github.token,
      ...options.github,
    },
    inputs: {
      'git-url': `${emulator.url}/git/{projectId}.git`,
      'git-token': emulator.gitToken,
      ...options.inputs,
    },
  });
}

/** Runs it to its end. */
export async function runBringing(world: GitWorld, commit: string, options: StepOptions = {}) {
  const step = await startBringing(world, commit, { launch: shareProcess, ...options });
  return await step.done;
}
