import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import type { CacheServer } from '../../emulator/cache/index.ts';
import type { GitHubStandIn } from '../../emulator/github/index.ts';
import type { EmulatedProject, Emulator } from '../../emulator/index.ts';
import { type RunningAction, type RunOptions, startAction } from '../../emulator/runner.ts';
import type { ActionDefinition } from '../../src/inputs/input.ts';
import { type ActionName, actions } from '../../src/inputs.ts';

/** The folder that holds action.yml. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Where the actions are that are played: in the repository, if `ACTIONS_ROOT` names no other folder. */
export const played: string = process.env['ACTIONS_ROOT'] ?? root;

/** The repository whose workflow is played. */
export const repository = 'octo-org/octo-site';

/** What a step meets: the service, and as much of GitHub as is there. */
export interface Scene {
  readonly emulator: Emulator;
  readonly project: EmulatedProject;
  readonly github?: GitHubStandIn;
  readonly cache?: CacheServer;
}

/** A step that uses one of the actions. What the local world can fill in may be absent. */
export type Play = Omit<RunOptions, 'action' | 'uses' | 'secrets'> & {
  action: ActionName;
  /** True: the local world fills nothing in. */
  isBare?: boolean;
};

/** The inputs that say where to find the service, and which project is meant. */
function ownInputs({ emulator, project }: Scene, { action, inputs = {}, isBare = false }: Play) {
  if (isBare) return {};
  const isLeased = 'preview-projects' in inputs;
  const takesProject = 'project-id' in actions[action].inputs && !isLeased;
  return {
    'api-key': emulator.key,
    'base-url': emulator.url,
    ...(takesProject ? { 'project-id': project.id } : {}),
  };
}

/** The values of the inputs that are secret. */
function secretInputs(action: ActionName, inputs: Readonly<Record<string, string>>): string[] {
  const definition: ActionDefinition = actions[action];
  return Object.entries(inputs).flatMap(([name, value]) =>
    definition.inputs[name]?.secret && value !== '' ? [value] : [],
  );
}

/**
 * Starts `dist/` as a step by GitHub's runner, against the local world. The values of the step's `env` and of
 * its secret inputs are masked, as those of `secrets.*` are.
 */
export function startPlay(scene: Scene, play: Play): RunningAction {
  const { emulator, github, cache } = scene;
  const { action, env = {}, inputs = {}, isBare: _, ...rest } = play;
  const folder = action === 'deploy' ? '' : action;
  return startAction({
    ...rest,
    action: join(played, folder),
    uses: `${join('OWNER/site-deploy-action', folder).replaceAll('\\', '/')}@v1`,
    inputs: { ...ownInputs(scene, play), ...inputs },
    env,
    secrets: [
      emulator.key,
      emulator.gitToken,
      ...Object.values(env),
      ...secretInputs(action, inputs),
    ],
    runtime: { ...cache?.environment, ...play.runtime },
    github: {
      repository,
      actionRepository: 'OWNER/site-deploy-action',
      actionRef: 'v1',
      ...(github && { apiUrl: github.url, token: github.token }),
      ...play.github,
    },
  });
}
