import { find, holds, type Scope, textsOf } from './expressions.ts';
import { playComposite } from './play-composite.ts';
import {
  type Frame,
  type Given,
  kindOf,
  mayFail,
  playCheckout,
  playOurs,
  playScript,
  type StepEnd,
  type StepRun,
} from './play-step.ts';
import type { WorkflowStep } from './read-workflow.ts';

const players = {
  ours: playOurs,
  checkout: playCheckout,
  run: playScript,
  local: playComposite,
} as const;

/** How a step ended, as the `steps` context has it. Of one that is not played, nothing is known. */
type Ended = {
  outputs: Readonly<Record<string, string>>;
  outcome?: StepEnd['conclusion'] | 'skipped';
  /** The outcome, as `continue-on-error` has it. */
  conclusion?: StepEnd['conclusion'] | 'skipped';
};

/**
 * Plays steps in order, and gives the scope that they leave.
 * @throws for a condition that can't be evaluated in an action; in a job, only its step fails
 */
export async function playSteps(frame: Frame, given: Given): Promise<Scope> {
  const steps: Record<string, Ended> = {};
  for (const step of frame.steps) {
    const ended = await playStep(step, given, frame, () => scopeOf(frame, given, steps));
    // A name that GitHub made begins with two underscores, and the context does not have it.
    if (!/^(__|$)/.test(step.id)) steps[step.id] = ended;
    const { conclusion = 'skipped' } = ended;
    if (conclusion !== 'skipped' && frame.standing.status === 'success')
      frame.standing.status = conclusion;
  }
  return scopeOf(frame, given, steps);
}

function scopeOf(
  { contexts, env, standing }: Frame,
  { job, isStrict }: Given,
  steps: Record<string, Ended>,
): Scope {
  return {
    isStrict,
    status: job.status === 'cancelled' ? 'cancelled' : standing.status,
    contexts: {
      ...contexts,
      steps,
      env: { ...Object.fromEntries(job.env), ...env },
      job: { status: job.status },
    },
  };
}

/** Runs one step if its condition holds. */
async function playStep(
  step: WorkflowStep,
  given: Given,
  frame: Frame,
  scope: () => Scope,
): Promise<Ended> {
  const kind = kindOf(step, given.play);
  if (kind === 'not-played') return { outputs: {} };
  let run: StepRun | undefined;
  try {
    run = prepare(step, given, frame, scope());
    if (!holds(step.if, run.scope))
      return { outputs: {}, outcome: 'skipped', conclusion: 'skipped' };
  } catch (error) {
    if (frame.depth > 0 && run !== undefined) throw error;
    // The runner does not ask `continue-on-error` then.
    tell(given, error);
    return { outputs: {}, outcome: 'failure', conclusion: 'failure' };
  }
  const { outputs, conclusion: outcome } = await players[kind](run).catch(
    (error: unknown): StepEnd => {
      tell(given, error);
      return { outputs: {}, conclusion: 'failure' };
    },
  );
  const isForgiven = outcome === 'failure' && goesOn(run, scope());
  return { outputs, outcome, conclusion: isForgiven ? 'success' : outcome };
}

/** Whether the job goes on although this step failed, by what holds after it. */
function goesOn(run: StepRun, after: Scope): boolean {
  try {
    return mayFail(run.step, withEnv(after, run.env));
  } catch (error) {
    tell(run, error);
    return false;
  }
}

function tell({ job, onLine }: Given, error: unknown): void {
  onLine(job.masker.mask(`Error: ${error instanceof Error ? error.message : String(error)}`));
}

function prepare(step: WorkflowStep, given: Given, frame: Frame, around: Scope): StepRun {
  const variables = { GITHUB_ACTION: step.id, ...frame.variables };
  const github = { ...around.contexts['github'], action: variables.GITHUB_ACTION };
  const outer = { ...around, contexts: { ...around.contexts, github } };
  const set = textsOf(find(step.token, 'env'), outer);
  const env = { ...frame.env, ...set };
  const scope = withEnv(outer, env);
  const { defaults, depth } = frame;
  const within = (inner: Frame) => playSteps(inner, given);
  return { ...given, step, depth, scope, env, variables, defaults, within };
}

const withEnv = (scope: Scope, env: Readonly<Record<string, string>>): Scope => ({
  ...scope,
  contexts: { ...scope.contexts, env: { ...scope.contexts['env'], ...env } },
});
