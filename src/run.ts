// By a statement, so that the bundle's first file has it: each action begins with it.
import './step/open-step.ts';
import type { ActionName } from './inputs.ts';
import type { Platform } from './platform.ts';
import type { StepResult } from './step/end-step.ts';

/** Loads only the code of the action that runs. */
const actions: Readonly<Record<ActionName, (platform: Platform) => Promise<StepResult>>> = {
  deploy: async (platform) => (await import('./actions/deploy.ts')).deployAction(platform),
  'env-sync': async (platform) => (await import('./actions/env-sync.ts')).envSyncAction(platform),
  domains: async (platform) => (await import('./actions/domains.ts')).domainsAction(platform),
  message: async (platform) => (await import('./actions/message.ts')).messageAction(platform),
  projects: async (platform) => (await import('./actions/projects.ts')).projectsAction(platform),
};

/** Loaded late: an action that gets to work has it loaded already. */
const loadEnd = () => import('./step/end-step.ts');

/** Runs an action from its inputs to its report. */
export async function runAction(name: ActionName, platform: Platform): Promise<void> {
  const result = await actions[name](platform).catch(async (cause: unknown) => {
    const definitions = await import('./inputs.ts');
    return (await loadEnd()).brokenResult(definitions.actions[name], cause);
  });
  await (await loadEnd()).reportResult(result, platform);
}

/** Runs the post step. It never fails: its report is about another step. */
export async function runPost(platform: Platform): Promise<void> {
  try {
    await (await import('./actions/post/post.ts')).postStep(platform);
  } catch (cause) {
    (await loadEnd()).warnOfBroken(cause, platform);
  }
}
