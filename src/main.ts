// By a statement, so that the bundle's first file has it: each action begins with it.
import './step/open-step.ts';
import { gitHub } from './github/runner/runner.ts';
import type { ActionName } from './inputs.ts';
import type { Platform } from './platform.ts';
import type { StepResult } from './step/end-step.ts';

/** Starts an action on GitHub's runner: the entry of each file in `dist/`. */
export async function main(action: ActionName): Promise<void> {
  await run(action, actions[action], gitHub(process.env));
  end();
}

/** Starts the post step of an action. It never fails: its report is about another step. */
export async function post(): Promise<void> {
  const platform = gitHub(process.env);
  try {
    await (await import('./actions/post/post.ts')).postStep(platform);
  } catch (cause) {
    (await loadEnd()).warnOfBroken(cause, platform);
  }
  end();
}

/** What is run, from its inputs to its report. */
export type Runnable = (platform: Platform) => Promise<StepResult>;

/** Loads only the code of the action that runs. */
export const actions: Readonly<Record<ActionName, Runnable>> = {
  deploy: async (platform) => (await import('./actions/deploy.ts')).deployAction(platform),
  'env-sync': async (platform) => (await import('./actions/env-sync.ts')).envSyncAction(platform),
  domains: async (platform) => (await import('./actions/domains.ts')).domainsAction(platform),
  message: async (platform) => (await import('./actions/message.ts')).messageAction(platform),
  projects: async (platform) => (await import('./actions/projects.ts')).projectsAction(platform),
};

/** Loaded late: an action that gets to work has it loaded already. */
const loadEnd = () => import('./step/end-step.ts');

/** Runs an action, or the command's status, from its inputs to its report, on GitHub's runner or in the command. */
export async function run(name: string, action: Runnable, platform: Platform): Promise<void> {
  const result = await action(platform).catch(async (cause: unknown) =>
    (await loadEnd()).brokenResult(name, cause),
  );
  await (await loadEnd()).reportResult(result, platform);
}

/** Ends the process once all output is written, even if requests are pending. */
function end(): void {
  process.stdout.write('', () => process.exit());
}
