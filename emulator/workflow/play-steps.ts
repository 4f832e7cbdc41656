import pLimit, { type LimitFunction } from 'p-limit';
import { find, holds, type Scope, textOf, textsOf, Unknown } from './expressions.ts';
import { playComposite } from './play-composite.ts';
import type { Progress } from './play-options.ts';
import {
  type Frame,
  type Given,
  kindOf,
  leaveOut,
  mayFail,
  type Outputs,
  playCheckout,
  playOurs,
  playScript,
  type StepEnd,
  type StepRun,
} from './play-step.ts';
import type { WorkflowStep } from './read-workflow.ts';
import { reportShown, reportStep, stepTitle } from './report-step.ts';

const players = {
  ours: playOurs,
  checkout: playCheckout,
  run: playScript,
  local: playComposite,
  'not-played': async (run: StepRun) => leaveOut(run.step, run),
} as const;

/** How a step ended, as the `steps` context has it. */
type Ended = {
  outputs: Outputs;
  outcome: StepEnd['conclusion'] | 'skipped';
  /** The outcome, as `continue-on-error` has it. */
  conclusion: StepEnd['conclusion'] | 'skipped';
};

/**
 * Plays steps in order, and gives the scope that they leave.
 * @throws for a condition that can't be evaluated in an action; in a job, only its step fails
 */
export async function playSteps(frame: Frame, given: Given): Promise<Scope> {
  const steps: Record<string, Ended> = {};
  const background = new Map<WorkflowStep, ReturnType<typeof startBeside>>();
  const inTurn = pLimit(mostBackground);
  const scope = () => scopeOf(frame, given, steps);
  const end = (step: WorkflowStep, ended: Ended) => {
    // A name that GitHub made begins with two underscores, and the context does not have it.
    if (!/^(__|$)/.test(step.id)) steps[step.id] = ended;
    const { conclusion } = ended;
    // What `cancel:` ended does not fail the job.
    const isAsked = step.isBackground && conclusion === 'cancelled';
    if (conclusion !== 'skipped' && !isAsked && frame.standing.status === 'success')
      frame.standing.status = conclusion;
  };
  const waitFor = async (awaited: Iterable<WorkflowStep>) => {
    for (const step of awaited) {
      const running = background.get(step);
      if (running === undefined) continue;
      end(step, await running.ended);
      for (const one of running.told) given.play.report?.(one);
      background.delete(step);
    }
  };
  try {
    for (const step of frame.steps) {
      if (step.awaits !== undefined) {
        if (step.cancels) for (const one of step.awaits) background.get(one)?.cancel();
        await waitFor(step.awaits);
      } else if (step.isBackground) {
        background.set(step, startBeside(step, given, frame, scope, inTurn));
      } else end(step, await playStep(step, given, frame, scope));
    }
    await waitFor([...background.keys()]);
    return scope();
  } finally {
    for (const { cancel } of background.values()) cancel();
    await Promise.allSettled(background.values().map(({ ended }) => ended));
  }
}

/** How many steps run in the background at once; more of them wait. */
const mostBackground = 10;

/** Starts a step that the next does not wait for. What it reports is kept until it has ended: it stays together. */
function startBeside(
  step: WorkflowStep,
  given: Given,
  frame: Frame,
  scope: () => Scope,
  inTurn: LimitFunction,
) {
  const stop = new AbortController();
  const told: Progress[] = [];
  const own: Given = {
    ...given,
    signal: AbortSignal.any([given.signal, stop.signal]),
    play: { ...given.play, report: (progress) => told.push(progress) },
    onLine: (line) => told.push({ type: 'line', job: given.name, line }),
  };
  const ended = inTurn(() => playStep(step, own, frame, scope));
  // It may fail long before anything waits for it.
  ended.catch(() => undefined);
  return { cancel: () => stop.abort(), ended, told };
}

function scopeOf(
  { contexts, env, standing }: Frame,
  { job, isStrict, left }: Given,
  steps: Record<string, Ended>,
): Scope {
  return {
    isStrict,
    unset: left.unset,
    status: job.status === 'cancelled' ? 'cancelled' : standing.status,
    contexts: {
      ...contexts,
      steps: { ...steps },
      env: { ...Object.fromEntries(job.env), ...env },
      job: { ...contexts['job'], status: job.status },
    },
  };
}

/** Runs one step if its condition holds, and reports it if it is of the job itself. */
async function playStep(
  step: WorkflowStep,
  given: Given,
  frame: Frame,
  scope: () => Scope,
): Promise<Ended> {
  const played = () => playUnreported(step, given, frame, scope);
  if (frame.depth > 0) return await played();
  return await reportStep(given, stepTitle(step, scope()), played);
}

async function playUnreported(
  step: WorkflowStep,
  given: Given,
  frame: Frame,
  scope: () => Scope,
): Promise<Ended> {
  const failed = (error: unknown): StepEnd => {
    if (error instanceof Unknown) return leaveOut(step, given, error);
    const reason = error instanceof Error ? error.message : String(error);
    given.onLine(given.job.masker.mask(`Error: ${reason}`));
    return { outputs: {}, conclusion: 'failure' };
  };
  let run: StepRun | undefined;
  try {
    run = prepare(step, given, frame, scope());
    if (!holds(step.if, run.scope))
      return { outputs: {}, outcome: 'skipped', conclusion: 'skipped' };
  } catch (error) {
    if (frame.depth > 0 && run !== undefined && !(error instanceof Unknown)) throw error;
    // The runner does not ask `continue-on-error` then.
    const { outputs, conclusion } = failed(error);
    return { outputs, outcome: conclusion, conclusion };
  }
  const ended = await inTime(run, (bounded) =>
    players[kindOf(step, given.play)](bounded).catch(failed),
  );
  reportShown(given, ended);
  const { outputs, conclusion: outcome } = ended;
  const isForgiven = outcome === 'failure' && goesOn(run, scope());
  return { outputs, outcome, conclusion: isForgiven ? 'success' : outcome };
}

/** Plays a step for as long as its `timeout-minutes` allows: it fails after that, and is not cancelled. */
async function inTime(run: StepRun, play: (run: StepRun) => Promise<StepEnd>): Promise<StepEnd> {
  const token = find(run.step.token, 'timeout-minutes');
  const minutes = token === undefined ? Number.NaN : Number(textOf(token, run.scope));
  if (!(minutes > 0)) return await play(run);
  const late = AbortSignal.timeout(minutes * (run.play.minute ?? 60_000));
  const signals = run.signal.aborted ? [late] : [run.signal, late];
  const ended = await play({ ...run, signal: AbortSignal.any(signals) });
  if (!late.aborted || ended.conclusion !== 'cancelled') return ended;
  const title = stepTitle(run.step, run.scope);
  run.onLine(`Error: The action '${title}' has timed out after ${minutes} minutes.`);
  return { ...ended, conclusion: 'failure' };
}

/** Whether the job goes on although this step failed, by what holds after it. */
function goesOn(run: StepRun, after: Scope): boolean {
  try {
    return mayFail(run.step, withEnv(after, run.env));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    run.onLine(run.job.masker.mask(`Error: ${reason}`));
    return false;
  }
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
