import { runStep } from './action/run-step.ts';
import type { StepEnd } from './frame/step.ts';
import type { ActionName } from './inputs.ts';
import type { Platform } from './platform.ts';

/** Loads only the code of the action that runs. */
const steps: Readonly<Record<ActionName, (platform: Platform) => Promise<StepEnd>>> = {
  deploy: async (given) => runStep((await import('./action/starts/deploy.ts')).deployStart, given),
  'env-sync': async (given) =>
    runStep((await import('./action/starts/env-sync.ts')).envSyncStart, given),
  domains: async (given) =>
    runStep((await import('./action/starts/domains.ts')).domainsStart, given),
  message: async (given) =>
    runStep((await import('./action/starts/message.ts')).messageStart, given),
  projects: async (given) =>
    runStep((await import('./action/starts/projects.ts')).projectsStart, given),
};

/** Loaded late: nothing needs it before the end. */
const loadEnds = () => import('./action/report-end.ts');

/** Runs an action from its inputs to its report. */
export async function runAction(name: ActionName, platform: Platform): Promise<void> {
  const end = await steps[name](platform).catch(async (cause: unknown) =>
    (await loadEnds()).brokenEnd(name, cause),
  );
  await (await loadEnds()).reportEnd(end, platform);
}

/** Runs the post step. It never fails: its report is about another step. */
export async function runPost(platform: Platform): Promise<void> {
  try {
    await (await import('./action/post/post.ts')).postStep(platform);
  } catch (cause) {
    (await loadEnds()).warnOfBroken(cause, platform);
  }
}
