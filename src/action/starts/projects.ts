import { nothingToRead, type Start, type WorkOf, workUnlessWrong } from '../../frame/action.ts';
import { proxyProblems } from '../../frame/first-request.ts';
import type { Hidden } from '../../frame/open-log.ts';
import { insiders, missingKey, whyNotToStart } from '../../frame/skip.ts';
import type { Values } from '../../inputs.ts';
import { projects } from '../../projects/inputs.ts';
import { type ProjectsIntent, projectsIntent, projectsProblems } from '../../projects/intent.ts';
import type { ListReport } from '../../projects/render.ts';
import { prefetch } from '../../service/prefetch.ts';

/** The action that lists projects, or creates one. */
export const projectsStart: Start<
  'projects',
  Hidden,
  WorkOf<'projects', ProjectsIntent>,
  ListReport
> = {
  inputs: projects.inputs,
  read: nothingToRead,
  prepare: (step) => {
    const { inputs } = step;
    const problems = [...projectsProblems(inputs), ...proxyProblems(step)];
    // A list changes nothing: anyone who can start the run may get it.
    const admission = { allowed: insiders, checksProposers: true };
    const skip = inputs.get('create') === true ? whyNotToStart(step, admission) : missingKey(step);
    const makeWork = (values: Values<'projects'>) => ({
      work: { values, request: projectsIntent(values) },
    });
    return skip ?? workUnlessWrong(inputs, problems, makeWork);
  },
  firstRequest: ({ request }) =>
    request.kind === 'list' ? prefetch.projects(request.filter) : undefined,
  load: async () => (await import('../actions/projects.ts')).projectsAction,
};
