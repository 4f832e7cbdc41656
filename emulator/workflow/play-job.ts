import type { StepControl } from '../runner/control.ts';
import { createJob, type Job as RunnerJob } from '../runner/job.ts';
import type { StepResult } from '../runner/step-result.ts';
import { find, holds, type Scope, type Status, textOf, textsOf } from './expressions.ts';
import { permissionsOf } from './permissions.ts';
import type { JobConclusion, Play, PlayedStep } from './play-options.ts';
import {
  kindOf,
  playCheckout,
  playOurs,
  playScript,
  type StepEnd,
  type StepRun,
} from './play-step.ts';
import type { Job, Workflow, WorkflowStep } from './read-workflow.ts';

/** A job, or one leg of its matrix, as it ended. */
export type LegEnd = {
  conclusion: Exclude<JobConclusion, 'skipped'>;
  outputs: Record<string, string>;
  steps: PlayedStep[];
};

/** A leg that is to run. */
export type Leg = {
  workflow: Workflow;
  job: Job;
  /** What the log calls it. */
  name: string;
  scope: Scope;
  play: Play;
  signal: AbortSignal;
};

const players = { ours: playOurs, checkout: playCheckout, run: playScript } as const;

/** What of a job is not played, each in a few words. */
export function notPlayed({ token, steps, calls }: Job, play: Play): string[] {
  if (calls !== undefined) return [`the workflow ${calls}, which the job calls`];
  const around = ['container', 'services', 'environment'].filter(
    (key) => find(token, key) !== undefined,
  );
  const left = steps.filter((step) => kindOf(step, play) === 'not-played');
  const uses = new Set(left.flatMap((one) => one.uses ?? []));
  const scripts = left.filter(({ run }) => run !== undefined).length;
  const counted = scripts === 1 ? '1 run: step' : `${scripts} run: steps`;
  return [...around, ...uses, ...(scripts === 0 ? [] : [`${counted} (--run-steps runs them)`])];
}

/** Plays the steps of a job in order, and then what they left to be run at its end. */
export async function playLeg({ workflow, job, name, scope, play, signal }: Leg): Promise<LegEnd> {
  const onLine = (line: string) => play.report?.({ type: 'line', job: name, line });
  const token = play.token?.issue(permissionsOf(job.token, workflow.token));
  await using running = createJob({
    event: play.event,
    github: { ...play.github, job: job.id, ...(token === undefined ? {} : { token }) },
    secrets: Object.values(play.secrets),
    runtime: play.runtime ?? {},
    workspace: play.workspaceOf?.(job),
    debug: play.debug === true,
  });
  let current: StepControl | undefined;
  const cancel = () => {
    if (running.status === 'success') running.status = 'cancelled';
    current?.cancel();
  };
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  const onControl = (control: StepControl) => {
    current = control;
  };
  try {
    const steps = new Steps(job.steps);
    const own = ownScope(scope, running, steps, token);
    const envs = [find(workflow.token, 'env'), find(job.token, 'env')];
    for (const env of envs) {
      for (const [key, value] of Object.entries(textsOf(env, own()))) running.env.set(key, value);
    }
    const defaults = [job.token, workflow.token].map((one) => find(find(one, 'defaults'), 'run'));
    const given = { job: running, defaults, play, onLine, onControl };
    const posts: (() => Promise<void>)[] = [];
    for (const step of job.steps) {
      const end = await playStep({ ...given, step, scope: own(step) });
      if (end === undefined) continue;
      steps.note(step, end);
      if (kindOf(step, play) !== 'ours' || end.result === undefined) continue;
      const played: PlayedStep = { ...end.result, job: job.id };
      steps.played.push(played);
      posts.unshift(async () => {
        const post = await end.post?.();
        if (post !== undefined) played.post = post;
      });
    }
    for (const post of posts) await post();
    return {
      conclusion: running.status,
      outputs: outputsOf(job, own(), running, onLine),
      steps: steps.played,
    };
  } finally {
    signal.removeEventListener('abort', cancel);
    if (token !== undefined) play.token?.revoke(token);
  }
}

/** Runs one step if its condition holds; undefined if it does not, or the step is not played. */
async function playStep(run: StepRun): Promise<StepEnd | undefined> {
  const { step, job, scope, play, onLine } = run;
  const kind = kindOf(step, play);
  if (kind === 'not-played') return undefined;
  try {
    if (!holds(step.if, scope)) return undefined;
    return await players[kind](run);
  } catch (error) {
    onLine(job.masker.mask(`Error: ${error instanceof Error ? error.message : String(error)}`));
    if (job.status === 'success') job.status = 'failure';
    return { conclusion: 'failure' };
  }
}

/** What the steps of a job gave so far. */
class Steps {
  readonly context: Record<string, Record<string, unknown>>;
  readonly played: PlayedStep[] = [];

  constructor(steps: readonly WorkflowStep[]) {
    this.context = Object.fromEntries(steps.map(({ id }) => [id, { outputs: {} }]));
  }

  note({ id }: WorkflowStep, { conclusion, result }: StepEnd): void {
    const outputs: StepResult['outputs'] = result?.outputs ?? {};
    this.context[id] = { outputs, outcome: conclusion, conclusion };
  }
}

/** Gives the scope of a step, or of the job itself, as it is by then. */
function ownScope(scope: Scope, job: RunnerJob, steps: Steps, token: string | undefined) {
  const { context: variables } = job.variables;
  const runner = Object.fromEntries(
    Object.entries(variables)
      .filter(([name]) => name.startsWith('RUNNER_'))
      .map(([name, value]) => [name.slice('RUNNER_'.length).toLowerCase(), value]),
  );
  const { github = {}, secrets = {} } = scope.contexts;
  const given = token === undefined ? {} : { GITHUB_TOKEN: token };
  return (step?: WorkflowStep): Scope => {
    const around: Scope = {
      ...scope,
      status: job.status as Status,
      contexts: {
        ...scope.contexts,
        github: { ...github, ...job.github },
        secrets: { ...secrets, ...given },
        steps: steps.context,
        env: Object.fromEntries(job.env),
        job: { status: job.status },
        runner,
      },
    };
    const env = step === undefined ? undefined : find(step.token, 'env');
    if (env === undefined) return around;
    const all = { ...Object.fromEntries(job.env), ...textsOf(env, around) };
    return { ...around, contexts: { ...around.contexts, env: all } };
  };
}

/** The outputs of a job. GitHub leaves out what holds a secret. */
function outputsOf(
  job: Job,
  scope: Scope,
  { masker }: RunnerJob,
  onLine: (line: string) => void,
): Record<string, string> {
  const outputs = textsOf(find(job.token, 'outputs'), scope);
  for (const [name, value] of Object.entries(outputs)) {
    if (masker.mask(value) === value) continue;
    onLine(`Warning: Skip output '${name}' since it may contain secret.`);
    outputs[name] = '';
  }
  return outputs;
}

/** What the log calls a job, with the values of its leg where its name does not say them. */
export function nameOf({ token, id }: Job, scope: Scope): string {
  const name = find(token, 'name');
  if (name !== undefined) return textOf(name, scope);
  const values = Object.values(scope.contexts['matrix'] ?? {});
  return values.length === 0 ? id : `${id} (${values.map(String).join(', ')})`;
}
