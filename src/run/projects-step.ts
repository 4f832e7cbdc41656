import { type ProjectsRequest, runProjects } from '../commands/projects.ts';
import { idempotencyKey } from '../core/idempotency.ts';
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
import { tellProblems } from './problems.ts';
import { openService } from './service.ts';
import { missingKey } from './skip.ts';
import type { Step, StepEnd } from './step.ts';

/** The most characters of an output: GitHub refuses more than 1 MiB. */
const longestOutput = 1_000_000;

function outputsOf(report: ProjectsReport, redact: Redact): OutputsOf<'projects'> {
  const { outcome, projects, matrix, created, requests, durationMs, error } = report;
  const listed = redact(JSON.stringify(projects));
  return {
    outcome,
    projects: listed.length > longestOutput ? '' : listed,
    matrix: JSON.stringify(matrix),
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

function problemsOf({ values, problems, environment }: Step<'projects'>): Problem[] {
  const isGiven = (name: (typeof onlyWithCreate)[number]) => (values[name]?.length ?? 0) > 0;
  const useless = values.create === true ? [] : onlyWithCreate.filter(isGiven);
  return [
    ...problems,
    ...useless.map((input) => ({ input, message: 'needs create: true' })),
    ...proxyProblems(values['base-url'], environment),
  ];
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
  const { log, redact, warn } = openLog(step.secrets);
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
  const skip = missingKey(values['api-key'], 'auto', context);
  if (skip !== undefined) {
    log.write({ kind: 'notice', text: `Skipped: ${skip.message}.` });
    return unsent({ outcome: 'skipped' });
  }
  const problems = problemsOf(step);
  if (problems.length > 0) {
    return unsent({ outcome: 'failed', error: tellProblems(problems, log, redact) });
  }
  const access = { baseUrl: values['base-url'] ?? '', apiKey: values['api-key'] ?? '' };
  await using service = openService(access, log, redact, bounds);
  const report = await runProjects(service.client, service.host, {
    filter: values.filter ?? 'all',
    pattern: values['name-pattern'],
    shard: values.shard,
    create: creation(step),
    keyFor: (operation, target) => idempotencyKey(context.identity, operation, target),
  });
  const end = endOf({ ...report, durationMs: Date.now() - started }, redact);
  if (end.outputs.projects === '') {
    warn(
      'The output projects is empty: the list is longer than the 1 MiB that GitHub takes. The output matrix is whole; use shard or name-pattern for the rest.',
    );
  }
  return end;
}
