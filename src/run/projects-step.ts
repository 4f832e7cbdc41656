import { type ProjectsRequest, runProjects } from '../commands/projects.ts';
import { failsStep } from '../core/outcome.ts';
import type { Problem } from '../core/problem.ts';
import {
  closeProjects,
  type ProjectsReport,
  renderProjects,
} from '../core/report/projects-report.ts';
import type { Redact } from '../core/text/redact.ts';
import type { OutputsOf } from '../inputs.ts';
import { boundRun, defaultTimeout } from './bounds.ts';
import { proxyProblems } from './cross-problems.ts';
import { openLog } from './open-log.ts';
import { endRefused, refuse } from './refusal.ts';
import { openService } from './service.ts';
import { whyNotToStart } from './skip.ts';
import type { Step, StepEnd } from './step.ts';

/** The most characters of a project list and its matrix: GitHub refuses more than 1 MiB of a job's outputs. */
const longestOutputs = 500_000;

function outputsOf(report: ProjectsReport, redact: Redact): OutputsOf<'projects'> {
  const { outcome, projects, matrix, created, requests, durationMs, error } = report;
  const listed = redact(JSON.stringify(projects));
  const shownMatrix = JSON.stringify(matrix);
  const isTooLong = listed.length + shownMatrix.length > longestOutputs;
  return {
    outcome,
    projects: isTooLong ? '' : listed,
    matrix: shownMatrix,
    count: String(projects.length),
    'project-id': created?.projectId ?? '',
    'initial-message-id': created?.initialMessageId ?? '',
    requests: String(requests),
    'duration-ms': String(Math.round(durationMs)),
    error: error ?? '',
  };
}

function endOf(report: ProjectsReport, redact: Redact): StepEnd<'projects'> {
  return {
    outcome: report.outcome,
    outputs: outputsOf(report, redact),
    closing: closeProjects(report),
    summary: renderProjects(report),
    error: report.error,
    fails: failsStep(report.outcome, 'warn'),
  };
}

const onlyWithCreate = ['initial-prompt', 'model', 'effort', 'skill-names'] as const;

/** Inputs that do nothing beside the others. */
function uselessInputs({ values }: Step<'projects'>): Problem[] {
  if (values.create !== true) {
    const isGiven = (name: (typeof onlyWithCreate)[number]) => (values[name]?.length ?? 0) > 0;
    return onlyWithCreate
      .filter(isGiven)
      .map((input) => ({ input, message: 'needs create: true' }));
  }
  const narrowing = {
    filter: (values.filter ?? 'all') !== 'all',
    'name-pattern': values['name-pattern'] !== undefined,
    shard: values.shard !== undefined,
  };
  return Object.entries(narrowing)
    .filter(([, isGiven]) => isGiven)
    .map(([input]) => ({ input, message: 'narrows a list, and create: true makes none' }));
}

function problemsOf(step: Step<'projects'>): Problem[] {
  const { values, problems, environment } = step;
  return [...problems, ...uselessInputs(step), ...proxyProblems(values['base-url'], environment)];
}

/** The project to create, without what is not given; undefined if none is to be. */
function creation({ values }: Step<'projects'>): ProjectsRequest['create'] {
  const { model, effort, 'initial-prompt': initialPrompt, 'skill-names': skillNames = [] } = values;
  if (values.create !== true) return undefined;
  return {
    ...(initialPrompt === undefined ? {} : { initialPrompt }),
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { effort }),
    ...(skillNames.length === 0 ? {} : { skillNames }),
  };
}

/** Runs a step of the projects action, from its inputs to its report. */
export async function projectsStep(step: Step<'projects'>): Promise<StepEnd<'projects'>> {
  const { values, context } = step;
  const started = Date.now();
  using bounds = boundRun(values.timeout ?? defaultTimeout);
  const opened = openLog(step.secrets);
  const { log, redact, warn } = opened;
  const unsent = (report: Pick<ProjectsReport, 'outcome' | 'error'>) =>
    endOf(
      {
        projects: [],
        matrix: { include: [] },
        listed: 0,
        requests: 0,
        durationMs: Date.now() - started,
        ...report,
      },
      redact,
    );
  // A list changes nothing: anybody who can start the run may have it made.
  const { 'allowed-associations': allowed, ...others } = values;
  const starting = values.create === true ? values : others;
  const skip = whyNotToStart(starting, context, true);
  const refusal = refuse(skip?.message, problemsOf(step), opened);
  if (refusal !== undefined) return endRefused(refusal, unsent(refusal));
  const access = { baseUrl: values['base-url'] ?? '', apiKey: values['api-key'] ?? '' };
  await using service = openService(access, log, redact, bounds, context.identity);
  const report = await runProjects(service, {
    filter: values.filter ?? 'all',
    pattern: values['name-pattern'],
    shard: values.shard,
    create: creation(step),
  });
  const end = endOf({ ...report, durationMs: Date.now() - started }, redact);
  if (end.outputs.projects === '') {
    warn(
      'The output projects is empty: GitHub takes only 1 MiB of outputs from a job, and the list is too long. The output matrix is whole; use shard or name-pattern for shorter lists.',
    );
  }
  return end;
}
