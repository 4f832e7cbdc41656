import type { ProjectsRequest } from '../../commands/projects.ts';
import type { Problem } from '../../core/problem.ts';
import type { ProjectsReport } from '../../core/report/projects-report.ts';
import { projects } from '../../inputs/projects.ts';
import type { Values } from '../../inputs.ts';
import { turnOptions } from '../../messages/intent.ts';
import { looks } from '../../service/looks.ts';
import { type Hidden, nothingToRead, type Start, workUnlessWrong } from '../action.ts';
import type { Step } from '../step.ts';
import { proxyProblems } from '../way-in/proxy.ts';
import { missingKey, whyNotToStart } from '../way-in/skip.ts';

const onlyWithCreate = ['initial-prompt', 'model', 'effort', 'skill-names'] as const;

/** Inputs that do nothing beside the others. */
function uselessInputs({ inputs }: Step<'projects'>, creates: boolean): Problem[] {
  if (!creates) {
    const isGiven = (name: (typeof onlyWithCreate)[number]) => (inputs.get(name)?.length ?? 0) > 0;
    return onlyWithCreate
      .filter(isGiven)
      .map((input) => ({ input, code: 'SD1101', message: 'needs create: true' }));
  }
  const narrowing = {
    filter: inputs.with(['filter'], ({ filter }) => filter !== 'all'),
    'name-pattern': inputs.get('name-pattern') !== undefined,
    'on-empty': inputs.get('on-empty') === 'fail',
    shard: inputs.get('shard') !== undefined,
  };
  return Object.entries(narrowing)
    .filter(([, isGiven]) => isGiven)
    .map(([input]) => ({
      input,
      code: 'SD1101',
      message: 'is about a list, and create: true makes none',
    }));
}

/** The project to create, without what is not given; undefined if none is to be. */
function creation(values: Values<'projects'>): ProjectsRequest['create'] {
  const { create, 'initial-prompt': initialPrompt } = values;
  if (!create) return undefined;
  return { ...(initialPrompt === undefined ? {} : { initialPrompt }), ...turnOptions(values) };
}

/** A report with its list as an output: whole, or empty beside an error. */
export interface ListReport extends ProjectsReport {
  listing: string;
}

/** What a list, or a creation, is to be. */
export interface ProjectsWork {
  values: Values<'projects'>;
  request: ProjectsRequest;
}

/** The action that lists projects, or creates one. */
export const projectsStart: Start<'projects', Hidden, ProjectsWork, ListReport> = {
  inputs: projects.inputs,
  read: nothingToRead,
  prepare: (step) => {
    const { inputs } = step;
    const creates = inputs.get('create') === true;
    const problems = [...uselessInputs(step, creates), ...proxyProblems(step)];
    // A list changes nothing: anybody who can start the run may have it made.
    const skip = creates ? whyNotToStart(step, true) : missingKey(step);
    const makeWork = (values: Values<'projects'>) => ({
      work: {
        values,
        request: {
          filter: values.filter,
          pattern: values['name-pattern'],
          shard: values.shard,
          failOnEmpty: values['on-empty'] === 'fail',
          create: creation(values),
        },
      },
    });
    return skip ?? workUnlessWrong(inputs, problems, makeWork);
  },
  look: ({ request }) =>
    request.create === undefined ? looks.projects(request.filter) : undefined,
  load: async () => (await import('../actions/projects.ts')).projectsAction,
};
