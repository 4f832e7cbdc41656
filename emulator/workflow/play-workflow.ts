import { githubContext, pullRequestBranches } from '../runner/github-context.ts';
import type { Group } from './concurrency.ts';
import {
  type Contexts,
  find,
  holds,
  keysOf,
  readValue,
  type Scope,
  type Status,
  type Token,
} from './expressions.ts';
import { legsOf } from './matrix.ts';
import { type LegEnd, nameOf, notPlayed, playLeg } from './play-job.ts';
import type { JobConclusion, Play, PlayedStep } from './play-options.ts';
import type { Job, Workflow } from './read-workflow.ts';

export type { Checkout, Play, PlayedStep, Progress } from './play-options.ts';

/** How a workflow ended. */
export type WorkflowEnd = {
  conclusion: Exclude<JobConclusion, 'skipped'>;
  /** The steps of ours that ran, in order. */
  steps: PlayedStep[];
};

/** How a job ended, for those that need it. */
type Ended = { result: JobConclusion; outputs: Record<string, string> };

/**
 * Plays a workflow's jobs in order, each after those that it needs, with their conditions, matrices, outputs and
 * concurrency. The steps that use our actions run for real. It does not decide whether the event starts the workflow.
 * @returns undefined if a newer run took its place while it waited for its group
 */
export async function playWorkflow(
  workflow: Workflow,
  options: Play,
): Promise<WorkflowEnd | undefined> {
  const play = { ...options, github: { workflow: titleOf(workflow), ...options.github } };
  const { event, secrets, vars, inputs = {}, isStrict = false } = play;
  const payload = event.payload;
  const given = { ...pullRequestBranches(payload), ...play.github };
  const rest = { eventName: event.name, eventPath: '', workspace: '' };
  const github = { ...githubContext(given, rest), event: payload };
  const contexts: Contexts = { github, secrets, vars, inputs };
  const stop = new AbortController();
  const signal = AbortSignal.any([
    stop.signal,
    ...(play.signal === undefined ? [] : [play.signal]),
  ]);
  const scope: Scope = { contexts, isStrict };
  const run = () => playJobs(workflow, scope, play, signal);
  const group = groupOf(find(workflow.token, 'concurrency'), scope);
  return await inGroup(play, group, () => stop.abort(), run);
}

/** The name of a workflow; without one, the path of its file. */
function titleOf({ token, file }: Workflow): string {
  const name = find(token, 'name');
  return name === undefined ? `.github/workflows/${file}` : String(name);
}

async function inGroup<Result>(
  { groups }: Play,
  group: Group | undefined,
  cancel: () => void,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  return groups === undefined ? await work() : await groups.run(group, cancel, work);
}

function groupOf(token: Token | undefined, scope: Scope): Group | undefined {
  if (token === undefined) return undefined;
  const given = readValue(token, scope);
  const { group, ...more } = (typeof given === 'object' ? given : { group: given }) as Record<
    string,
    unknown
  >;
  return {
    name: String(group),
    cancelsRunning: more['cancel-in-progress'] === true,
    isQueue: more['queue'] === 'max',
  };
}

async function playJobs(workflow: Workflow, scope: Scope, play: Play, signal: AbortSignal) {
  const ended: Record<string, Ended> = {};
  const steps: PlayedStep[] = [];
  for (const job of workflow.jobs) {
    const end = await playJob(workflow, job, scope, ended, play, signal);
    ended[job.id] = end;
    steps.push(...end.steps);
  }
  const results = Object.values(ended).map(({ result }) => result);
  const worst = (['cancelled', 'failure'] as const).find((one) => results.includes(one));
  return { conclusion: worst ?? ('success' as const), steps };
}

/** The ids of all jobs that a job waits for, directly or not. */
function ancestorsOf({ needs }: Job, { jobs }: Workflow): Set<string> {
  const all = new Set(needs);
  for (const id of all)
    for (const one of jobs.find((job) => job.id === id)?.needs ?? []) all.add(one);
  return all;
}

function statusOf(job: Job, workflow: Workflow, ended: Readonly<Record<string, Ended>>): Status {
  const results = [...ancestorsOf(job, workflow)].map((id) => ended[id]?.result);
  if (results.includes('cancelled')) return 'cancelled';
  if (results.includes('failure')) return 'failure';
  return results.includes('skipped') ? 'skipped' : 'success';
}

async function playJob(
  workflow: Workflow,
  job: Job,
  around: Scope,
  ended: Readonly<Record<string, Ended>>,
  play: Play,
  signal: AbortSignal,
): Promise<Ended & { steps: PlayedStep[] }> {
  const start = performance.now();
  const needs = Object.fromEntries(job.needs.map((id) => [id, ended[id]]));
  const status = signal.aborted ? 'cancelled' : statusOf(job, workflow, ended);
  const scope: Scope = { ...around, status, contexts: { ...around.contexts, needs } };
  const names = keysOf(find(job.token, 'outputs'));
  const none = Object.fromEntries(names.map((name) => [name, '']));
  const tell = (name: string, conclusion: JobConclusion) =>
    play.report?.({ type: 'end', job: name, conclusion, durationMs: performance.now() - start });
  const isolated = async (): Promise<Ended & { steps: PlayedStep[] }> => {
    if (!holds(job.if, scope)) {
      tell(job.id, 'skipped');
      return { result: 'skipped', outputs: none, steps: [] };
    }
    if (job.calls !== undefined) {
      play.report?.({ type: 'job', job: job.id, notPlayed: notPlayed(job, play) });
      return { result: 'success', outputs: none, steps: [] };
    }
    const ends: LegEnd[] = [];
    for (const own of legContexts(job, scope)) {
      const leg = { ...scope, contexts: { ...scope.contexts, ...own } };
      ends.push(await playOneLeg(workflow, job, leg, play, signal));
    }
    const results = ends.map(({ conclusion }) => conclusion);
    const worst = (['cancelled', 'failure'] as const).find((one) => results.includes(one));
    const outputs = Object.assign({}, none, ...ends.map((end) => end.outputs));
    return { result: worst ?? 'success', outputs, steps: ends.flatMap((end) => end.steps) };
  };
  try {
    return await isolated();
  } catch (error) {
    const line = `Error: ${error instanceof Error ? error.message : String(error)}`;
    play.report?.({ type: 'line', job: job.id, line });
    tell(job.id, 'failure');
    return { result: 'failure', outputs: none, steps: [] };
  }
}

/** `matrix` and `strategy` of each leg of a job; one leg, whose `matrix` is null, if it has no matrix. */
function legContexts({ token }: Job, scope: Scope): Contexts[] {
  const strategy = find(token, 'strategy');
  const matrix = find(strategy, 'matrix');
  const legs = matrix === undefined ? [null] : legsOf(readValue(matrix, scope));
  return legs.map((leg, index) => ({
    matrix: leg,
    strategy: {
      'fail-fast': readValue(find(strategy, 'fail-fast'), scope) ?? true,
      'job-index': index,
      'job-total': legs.length,
      'max-parallel': readValue(find(strategy, 'max-parallel'), scope) ?? legs.length,
    },
  }));
}

async function playOneLeg(
  workflow: Workflow,
  job: Job,
  scope: Scope,
  play: Play,
  outer: AbortSignal,
): Promise<LegEnd> {
  const start = performance.now();
  const name = nameOf(job, scope);
  play.report?.({ type: 'job', job: name, notPlayed: notPlayed(job, play) });
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, outer]);
  const group = groupOf(find(job.token, 'concurrency'), scope);
  const end = await inGroup(
    play,
    group,
    () => stop.abort(),
    () => playLeg({ workflow, job, name, scope, play, signal }),
  );
  const found: LegEnd = end ?? { conclusion: 'cancelled', outputs: {}, steps: [] };
  const { conclusion } = found;
  play.report?.({ type: 'end', job: name, conclusion, durationMs: performance.now() - start });
  return found;
}
