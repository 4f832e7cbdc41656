import { type ProjectsRequest, runProjects } from '../../commands/projects.ts';
import { coded } from '../../core/catalogue/coded.ts';
import type { Problem } from '../../core/problem.ts';
import { nameOf } from '../../core/report/closing.ts';
import {
  closeProjects,
  type ProjectsReport,
  renderProjects,
} from '../../core/report/projects-report.ts';
import type { Values } from '../../inputs.ts';
import { type Action, type Hidden, nothingToRead, workUnlessWrong } from '../action.ts';
import type { Step } from '../step.ts';
import { proxyProblems } from '../way-in/proxy.ts';
import { missingKey, whyNotToStart } from '../way-in/skip.ts';
import { turnOf } from './message.ts';

/** The most characters of a project list and its matrix: GitHub refuses more than 1 MiB of a job's outputs. */
const longestOutputs = 500_000;

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
  return { ...(initialPrompt === undefined ? {} : { initialPrompt }), ...turnOf(values) };
}

/** A report with its list as an output; empty if it is too long for one. */
interface ListReport extends ProjectsReport {
  listing: string;
}

interface ProjectsWork {
  values: Values<'projects'>;
  request: ProjectsRequest;
}

/** The action that lists projects, or creates one. */
export const projectsAction: Action<'projects', Hidden, ProjectsWork, ListReport> = {
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
  execute: async (_step, _read, { request }, open) => {
    const report = await runProjects(open, request);
    const listing = open.redact(JSON.stringify(report.projects));
    if (listing.length + JSON.stringify(report.matrix).length <= longestOutputs) {
      return { report: { ...report, listing } };
    }
    open.warn(
      coded(
        'SD5206',
        'The output projects is empty: GitHub takes only 1 MiB of outputs from a job, and the list is too long. The output matrix is whole; use shard or name-pattern for shorter lists.',
      ),
    );
    return { report: { ...report, listing: '' } };
  },
  unsent: (_step, end) => ({
    ...end,
    projects: [],
    listing: '[]',
    matrix: { include: [] },
    listed: 0,
  }),
  report: (report) => ({
    outputs: {
      projects: report.listing,
      matrix: JSON.stringify(report.matrix),
      count: String(report.projects.length),
      'project-id': report.created?.projectId ?? '',
      'initial-message-id': report.created?.initialMessageId ?? '',
    },
    title: `Projects: ${nameOf(report.outcome).toLowerCase()}`,
    closing: closeProjects(report),
    summary: renderProjects(report),
  }),
};
