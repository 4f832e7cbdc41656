import { type Coded, coded } from './core/catalogue/coded.ts';
import { clean } from './core/text/clean.ts';
import { safe, trusted } from './core/text/safe.ts';
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
import { deployAction } from './run/actions/deploy.ts';
import { domainsAction } from './run/actions/domains.ts';
import { envSyncAction } from './run/actions/env-sync.ts';
import { messageAction } from './run/actions/message.ts';
import { projectsAction } from './run/actions/projects.ts';
import { postStep } from './run/post/post.ts';
import { postState } from './run/post/post-state.ts';
import { runStep } from './run/run-step.ts';
import type { Step, StepEnd } from './run/step.ts';
import { tell } from './run/tell.ts';
import { readInputs } from './run/way-in/inputs.ts';

const steps: { [Name in ActionName]: (step: Step<Name>) => Promise<StepEnd> } = {
  deploy: (step) => runStep(deployAction, step),
  'env-sync': (step) => runStep(envSyncAction, step),
  domains: (step) => runStep(domainsAction, step),
  message: (step) => runStep(messageAction, step),
  projects: (step) => runStep(projectsAction, step),
};

/** What broke in a way that nobody foresaw. Its message is not shown, because it may hold a secret. */
function describeBroken(cause: unknown): Coded {
  const kind = cause instanceof Error ? cause.name : typeof cause;
  return coded(
    'SD9003',
    safe`Unexpected, and a fault of this action (${trusted(clean(kind))}). Please report it, with the inputs of the step but without their secrets.`,
  );
}

/** The end of a step that broke: every output is set nevertheless. */
function brokenEnd(name: ActionName, cause: unknown): StepEnd {
  const error = describeBroken(cause);
  const empty = Object.keys(actions[name].outputs).map((output) => [output, '']);
  const outputs = { ...Object.fromEntries(empty), outcome: 'failed', error };
  const title = 'Failed';
  return { outcome: 'failed', outputs, title, closing: title, summary: '', error, fails: true };
}

async function endOf<Name extends ActionName>(
  name: Name,
  environment: StepEnvironment,
): Promise<StepEnd> {
  try {
    const inputs = readInputs(name, environment);
    maskSecrets(inputs.secrets);
    const context = readContext(environment);
    return await steps[name]({ inputs, context, environment });
  } catch (cause) {
    return brokenEnd(name, cause);
  }
}

/** Runs an action from its inputs to its report: outputs first. The only place that fails the step. */
export async function runAction(name: ActionName, environment: StepEnvironment): Promise<void> {
  const { outputs, title, closing, error, fails, summary } = await endOf(name, environment);
  // Everything that an end holds was redacted where it was made.
  const log = createLog((text) => text);
  await tell('outputs', log, () => setOutputs(outputs));
  log.write({ kind: 'line', text: closing });
  if (error !== undefined && fails) log.error(title, error);
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
