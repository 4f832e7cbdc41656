import { titleOf } from './core/report/closing.ts';
import { clean } from './core/text/clean.ts';
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
import { domainsStep } from './run/domains-step.ts';
import { envSyncStep } from './run/env-sync-step.ts';
import { messageStep } from './run/message-step.ts';
import { postStep } from './run/post.ts';
import { postState } from './run/post-state.ts';
import { projectsStep } from './run/projects-step.ts';
import { readInputs } from './run/read-inputs.ts';
import type { Step, StepEnd } from './run/step.ts';
import { tell } from './run/tell.ts';

const steps: { [Name in ActionName]: (step: Step<Name>) => Promise<StepEnd<Name>> } = {
  deploy: deployStep,
  'env-sync': envSyncStep,
  domains: domainsStep,
  message: messageStep,
  projects: projectsStep,
};

/** What broke in a way that nobody foresaw. Its message is not shown, because it may hold a secret. */
function describeBroken(cause: unknown): string {
  const kind = cause instanceof Error ? cause.name : typeof cause;
  return `Unexpected, and a fault of this action (${clean(kind)}). Please report it, with the inputs of the step but without their secrets.`;
}

/** The end of a step that broke: every output is set nevertheless. */
function brokenEnd(name: ActionName, cause: unknown): StepEnd<ActionName> {
  const error = describeBroken(cause);
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

async function runStep<Name extends ActionName>(
  name: Name,
  environment: StepEnvironment,
): Promise<StepEnd<ActionName>> {
  try {
    const read = readInputs(name, environment);
    maskSecrets(read.secrets);
    const step: (step: Step<Name>) => Promise<StepEnd<ActionName>> = steps[name];
    return await step({ ...read, context: readContext(environment), environment });
  } catch (cause) {
    return brokenEnd(name, cause);
  }
}

/** Runs an action from its inputs to its report: outputs first. The only place that fails the step. */
export async function runAction(name: ActionName, environment: StepEnvironment): Promise<void> {
  const { outputs, closing, outcome, error, fails, summary } = await runStep(name, environment);
  // Everything that an end holds was redacted where it was made.
  const log = createLog((text) => text);
  await tell('outputs', log, () => setOutputs(outputs));
  log.write({ kind: 'line', text: closing });
  if (error !== undefined && fails) log.error(titleOf(outcome), error);
  else if (error !== undefined) log.write({ kind: 'warning', text: error });
  await tell('summary', log, () => addSummary(summary, environment));
  await tell('state', log, () => saveState(postState.reported, 'true'));
  if (fails) failStep();
}

/** Runs the post step. It never fails: what it has to say is about another step. */
export async function runPost(environment: StepEnvironment): Promise<void> {
  try {
    await postStep(environment);
  } catch (cause) {
    createLog((text) => text).write({ kind: 'warning', text: describeBroken(cause) });
  }
}
