import { createJob, type Job as RunnerJob } from '../runner/job.ts';
import {
  type Contexts,
  find,
  knownText,
  pairsOf,
  type Scope,
  textsOf,
  Unknown,
} from './expressions.ts';
import { permissionsOf } from './permissions.ts';
import type { JobConclusion, Play, PlayedStep } from './play-options.ts';
import { type Left, leftOut } from './play-step.ts';
import { playSteps } from './play-steps.ts';
import type { Job, Workflow } from './read-workflow.ts';

/** A job, or one leg of its matrix, as it ended. */
export type LegEnd = {
  conclusion: Exclude<JobConclusion, 'skipped'>;
  outputs: Record<string, string | Unknown>;
  steps: PlayedStep[];
  /** What was not played and uses, or may use, an action of ours. */
  notPlayed: string[];
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

/** What of a job is not played, each in a few words. */
export function notPlayed({ token, steps, calls }: Job, unread: readonly string[], play: Play) {
  if (calls !== undefined) return [`the workflow ${calls}, which the job calls`];
  const around = ['container', 'services', 'environment'].filter(
    (key) => find(token, key) !== undefined,
  );
  return [...unread, ...around, ...leftOut(steps, play)];
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
  const cancel = () => {
    if (running.status === 'success') running.status = 'cancelled';
  };
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  try {
    const contexts = contextsOf(job, scope, running, token);
    for (const env of [find(workflow.token, 'env'), find(job.token, 'env')]) {
      for (const [key, value] of Object.entries(textsOf(env, { ...scope, contexts })))
        running.env.set(key, value);
    }
    const defaults = [job.token, workflow.token].map((one) => find(find(one, 'defaults'), 'run'));
    const played: PlayedStep[] = [];
    const posts: (() => Promise<void>)[] = [];
    const left: Left = { ours: [] };
    const { isStrict = false } = scope;
    const after = await playSteps(
      {
        steps: job.steps,
        depth: 0,
        standing: running,
        contexts,
        env: {},
        variables: {},
        defaults,
      },
      { job: running, name, isStrict, play, onLine, signal, played, posts, left },
    );
    for (const post of posts) await post();
    const isPartial = running.status === 'success' && left.ours.length > 0;
    return {
      conclusion: isPartial ? 'neutral' : running.status,
      notPlayed: left.ours.map((one) => `${name}: ${one}`),
      outputs: outputsOf(job, after, running, onLine),
      steps: played,
    };
  } finally {
    signal.removeEventListener('abort', cancel);
    if (token !== undefined) play.token?.revoke(token);
  }
}

/** The contexts of a job but for what changes with each step. */
function contextsOf(
  { token: of }: Job,
  { contexts }: Scope,
  job: RunnerJob,
  token: string | undefined,
): Contexts {
  const runner = Object.fromEntries(
    Object.entries(job.variables.context)
      .filter(([name]) => name.startsWith('RUNNER_'))
      .map(([name, value]) => [name.slice('RUNNER_'.length).toLowerCase(), value]),
  );
  const given = token === undefined ? {} : { GITHUB_TOKEN: token };
  return {
    ...contexts,
    github: { ...contexts['github'], ...job.github },
    secrets: { ...contexts['secrets'], ...given },
    job: Object.fromEntries(
      (['container', 'services'] as const)
        .filter((key) => find(of, key) !== undefined)
        .map((key) => [key, new Unknown(`job.${key} is unknown`)]),
    ),
    runner,
  };
}

/** The outputs of a job. GitHub leaves out what holds a secret. */
function outputsOf(
  job: Job,
  scope: Scope,
  { masker }: RunnerJob,
  onLine: (line: string) => void,
): Record<string, string | Unknown> {
  const outputs = pairsOf(find(job.token, 'outputs')).map(([name, token]) => {
    const value = knownText(token, scope);
    if (value instanceof Unknown)
      return [name, new Unknown(`the output ${name} of ${job.id} is unknown: ${value.message}`)];
    if (masker.mask(value) === value) return [name, value];
    onLine(`Warning: Skip output '${name}' since it may contain secret.`);
    return [name, ''];
  });
  return Object.fromEntries(outputs);
}

/** What the log calls a job, with the values of its leg where its name does not say them. */
export function nameOf({ token, id }: Job, scope: Scope): string {
  const name = find(token, 'name');
  if (name !== undefined) {
    const known = knownText(name, scope);
    return known instanceof Unknown ? id : known;
  }
  const values = Object.values(scope.contexts['matrix'] ?? {});
  return values.length === 0 ? id : `${id} (${values.map(String).join(', ')})`;
}
