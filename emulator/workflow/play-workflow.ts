import { githubContext, pullRequestBranches } from '../runner/github-context.ts';
import type { Group } from './concurrency.ts';
import {
  type Contexts,
  find,
  holds,
  pairsOf,
  readValue,
  type Scope,
  type Status,
  type Token,
  Unknown,
} from './expressions.ts';
import { legsOf } from './matrix.ts';
import { type LegEnd, nameOf, notPlayed, playLeg } from './play-job.ts';
import type { JobConclusion, Play, PlayedStep } from './play-options.ts';
import { mayFail, type Outputs } from './play-step.ts';
import type { Job, Workflow } from './read-workflow.ts';

export type { Checkout, Play, PlayedStep, Progress } from './play-options.ts';

/** How a workflow ended. */
export type WorkflowEnd = {
  /** Skipped, if every job is. */
  conclusion: JobConclusion;
  /** The steps of ours that ran, in order. */
  steps: PlayedStep[];
  /** What was not played and uses, or may use, an action of ours: then the conclusion is not success. */
  notPlayed: string[];
};

/** How a job ended. */
type Ended = Pick<WorkflowEnd, 'steps' | 'notPlayed'> & {
  result: JobConclusion;
  outputs: Outputs;
};

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
  for (const job of workflow.jobs)
    ended[job.id] = await playJob(workflow, job, scope, ended, play, signal);
  const ends = Object.values(ended);
  return {
    conclusion: worstOf(ends.map(({ result }) => result)),
    steps: ends.flatMap(({ steps }) => steps),
    notPlayed: ends.flatMap((one) => one.notPlayed),
  };
}

const order = ['cancelled', 'failure', 'neutral', 'success'] as const;

const worstOf = (results: readonly JobConclusion[]): JobConclusion =>
  order.find((one) => results.includes(one)) ?? 'skipped';

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
): Promise<Ended> {
  const start = performance.now();
  const needs = Object.fromEntries(job.needs.map((id) => [id, needed(ended[id])]));
  const status = signal.aborted ? 'cancelled' : statusOf(job, workflow, ended);
  const scope: Scope = { ...around, status, contexts: { ...around.contexts, needs } };
  const names = pairsOf(find(job.token, 'outputs')).map(([name]) => name);
  const none = Object.fromEntries(names.map((name) => [name, '']));
  const unknown = new Unknown(`the outputs of the job ${job.id} are unknown`);
  const ends: LegEnd[] = [];
  const end = (result: JobConclusion, outputs: Outputs, left: readonly string[] = []): Ended => {
    const durationMs = performance.now() - start;
    play.report?.({ type: 'end', job: job.id, conclusion: result, durationMs });
    const all = [...ends.flatMap((one) => one.notPlayed), ...left];
    return { result, outputs, steps: ends.flatMap(({ steps }) => steps), notPlayed: all };
  };
  try {
    if (!holds(job.if, scope)) return end('skipped', none);
    if (job.calls !== undefined) {
      const left = notPlayed(job, workflow.unread, play);
      play.report?.({ type: 'job', job: job.id, notPlayed: left });
      return end(
        'neutral',
        unknown,
        left.map((one) => `${job.id}: ${one}`),
      );
    }
    for (const own of legContexts(job, scope)) {
      const leg = { ...scope, contexts: { ...scope.contexts, ...own } };
      ends.push(await playOneLeg(workflow, job, leg, play, signal));
    }
    return {
      result: worstOf(ends.map(({ conclusion }) => conclusion)),
      outputs: Object.assign({}, none, ...ends.map(({ outputs }) => outputs)),
      steps: ends.flatMap(({ steps }) => steps),
      notPlayed: ends.flatMap((one) => one.notPlayed),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const isUnknown = error instanceof Unknown;
    const line = `${isUnknown ? 'Not played' : 'Error'}: ${reason}`;
    play.report?.({ type: 'line', job: job.id, line });
    return isUnknown ? end('neutral', unknown, [`${job.id}: ${reason}`]) : end('failure', none);
  }
}

/** How a job ended, for those that need it: what was not played counts as if it had succeeded. */
const needed = (ended: Ended | undefined) => ({
  result: ended?.result === 'neutral' ? 'success' : ended?.result,
  outputs: ended?.outputs ?? {},
});

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
  play.report?.({ type: 'job', job: name, notPlayed: notPlayed(job, workflow.unread, play) });
  const stop = new AbortController();
  const signal = AbortSignal.any([stop.signal, outer]);
  const group = groupOf(find(job.token, 'concurrency'), scope);
  const end = await inGroup(
    play,
    group,
    () => stop.abort(),
    () => playLeg({ workflow, job, name, scope, play, signal }),
  );
  const found: LegEnd = end ?? { conclusion: 'cancelled', outputs: {}, steps: [], notPlayed: [] };
  const { conclusion } = found;
  play.report?.({ type: 'end', job: name, conclusion, durationMs: performance.now() - start });
  const isForgiven = conclusion === 'failure' && mayFail(job, scope);
  return isForgiven ? { ...found, conclusion: 'success' } : found;
}
