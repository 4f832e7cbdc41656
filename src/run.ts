import { titleOf } from './core/report/closing.ts';
import { clean } from './core/text/clean.ts';
import { createRedact } from './core/text/redact.ts';
import { createLog } from './github/log.ts';
import {
  addSummary,
  failStep,
  maskSecrets,
  readContext,
  type StepEnvironment,
  saveState,
  setOutputs,
} from './github/runner.ts';
import { type ActionName, actions } from './inputs.ts';
import { deployStep } from './run/deploy-step.ts';
import { postStep } from './run/post.ts';
import { postState } from './run/post-state.ts';
import { readInputs } from './run/read-inputs.ts';
import type { Step, StepEnd } from './run/step.ts';

const steps: { [Name in ActionName]: (step: Step<Name>) => Promise<StepEnd<Name>> } = {
  deploy: deployStep,
};

/** The end of a step that broke in a way that nobody foresaw: every output is set nevertheless. */
function brokenEnd(name: ActionName, cause: unknown): StepEnd<ActionName> {
  const words = clean(cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause));
  const error = `Unexpected, and a fault of this action: ${words}`;
  const empty = Object.fromEntries(
    Object.keys(actions[name].outputs).map((output) => [output, '']),
  );
  return {
    outcome: 'failed',
    // The keys are those of the same action's table.
    outputs: { ...(empty as StepEnd<ActionName>['outputs']), outcome: 'failed', error },
    closing: 'Failed',
    summary: '',
    error,
    fails: true,
  };
}

/** Runs an action from its inputs to its report: outputs first. The only place that fails the step. */
export async function runAction(name: ActionName, environment: StepEnvironment): Promise<void> {
  const read = readInputs(name, environment);
  maskSecrets(read.secrets);
  const redact = createRedact(read.secrets);
  const log = createLog(redact);
  const end = await Promise.try(() =>
    steps[name]({ ...read, context: readContext(environment), environment }),
  ).catch((cause: unknown) => brokenEnd(name, redact(String(cause))));
  setOutputs(end.outputs);
  log.write({ kind: 'line', text: end.closing });
  const { error, fails } = end;
  if (error !== undefined && fails) log.error(titleOf(end.outcome), error);
  else if (error !== undefined) log.write({ kind: 'warning', text: error });
  await addSummary(end.summary, environment);
  saveState(postState.reported, 'true');
  if (fails) failStep();
}

/** Runs the post step. It never fails: what it has to say is about another step. */
export async function runPost(environment: StepEnvironment): Promise<void> {
  await postStep(environment);
}
