import { nothingToRead, type Start, workUnlessWrong } from '../../frame/action.ts';
import { proxyProblems } from '../../frame/first-request.ts';
import type { Hidden } from '../../frame/open-log.ts';
import { missingKey, whyNotToStart } from '../../frame/skip.ts';
import type { Values } from '../../inputs.ts';
import { projects } from '../../projects/inputs.ts';
import { type ProjectsIntent, projectsIntent, projectsProblems } from '../../projects/intent.ts';
import type { ProjectsReport } from '../../projects/render.ts';
import { prefetch } from '../../service/prefetch.ts';

/** A report with its list as an output: complete, or empty with an error. */
export interface ListReport extends ProjectsReport {
  listing: string;
}

/** A list, or a creation, and the inputs that it comes from. */
export interface ProjectsWork {
  values: Values<'projects'>;
  intent: ProjectsIntent;
}

/** The action that lists projects, or creates one. */
export const projectsStart: Start<'projects', Hidden, ProjectsWork, ListReport> = {
  inputs: projects.inputs,
  read: nothingToRead,
  prepare: (step) => {
    const { inputs } = step;
    const problems = [...projectsProblems(inputs), ...proxyProblems(step)];
    // A list changes nothing: anyone who can start the run may get it.
    const skip = inputs.get('create') === true ? whyNotToStart(step, true) : missingKey(step);
    const makeWork = (values: Values<'projects'>) => ({
      work: { values, intent: projectsIntent(values) },
    });
    return skip ?? workUnlessWrong(inputs, problems, makeWork);
  },
  firstRequest: ({ intent }) =>
    intent.kind === 'list' ? prefetch.projects(intent.filter) : undefined,
  load: async () => (await import('../actions/projects.ts')).projectsAction,
};
