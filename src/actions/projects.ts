import { proxyProblems } from '../http/proxies.ts';
import type { Platform } from '../platform.ts';
import { projects } from '../projects/inputs.ts';
import { projectsIntent, projectsProblems } from '../projects/intent.ts';
import { prefetch } from '../service/http.ts';
import type { StepResult } from '../step/end-step.ts';
import { connect, nothingToRead, openStep } from '../step/open-step.ts';
import { insiders, missingKey, unlessWrong, whyNotToStart } from '../step/skip.ts';

const loadRest = () => import('./late/projects.ts');

/** The action that lists projects, or creates one. */
export async function projectsAction(platform: Platform): Promise<StepResult> {
  using step = await openStep(platform, projects.inputs, nothingToRead);
  const { inputs } = step;
  // A list changes nothing: anyone who can start the run may get it.
  const admission = { allowed: insiders, checksProposers: true };
  const skip = inputs.get('create') === true ? whyNotToStart(step, admission) : missingKey(step);
  const job = skip ?? unlessWrong(inputs, [...projectsProblems(inputs), ...proxyProblems(step)]);
  if (job.kind !== 'valid') {
    const { projectsView, refuse } = await loadRest();
    return await refuse(step, projectsView, job);
  }

  const intent = projectsIntent(job.values);
  const first = intent.kind === 'list' ? prefetch.projects(intent.filter) : undefined;
  const transport = await connect(step, job.values, first);
  const { complete, finish, openService, projectsView, runWhole } = await loadRest();
  await using service = await openService(step, job.values, transport);
  return await finish(projectsView, complete(step, await runWhole(service, intent)));
}
