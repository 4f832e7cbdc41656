import type { StepEnd } from '../frame/step.ts';
import { tell } from '../frame/tell.ts';
import { createLog } from '../github/log.ts';
import type { StepEnvironment } from '../github/runner.ts';
import { addSummary, failStep, saveState, setOutputs } from '../github/runner-files.ts';
import { type ActionName, actions } from '../inputs.ts';
import { type Diagnostic, diagnose, printed } from '../kernel/diagnostic.ts';
import { clean } from '../kernel/text/clean.ts';
import { safe, unsafeText } from '../kernel/text/safe.ts';
import { postState } from './post/kept.ts';

/** What broke in a way that nobody foresaw. Its message is not shown, because it may hold a secret. */
function describeBroken(cause: unknown): Diagnostic {
  const kind = cause instanceof Error ? cause.name : typeof cause;
  return diagnose(
    'SD9003',
    safe`Unexpected, and a fault of this action (${unsafeText(clean(kind))}). Please report it, with the inputs of the step but without their secrets.`,
  );
}

/** Tells of a post step that broke. */
export function warnOfBroken(cause: unknown): void {
  createLog((text) => text).write({ kind: 'warning', diagnostic: describeBroken(cause) });
}

/** The end of a step that broke: every output is set nevertheless. */
export function brokenEnd(name: ActionName, cause: unknown): StepEnd {
  const error = describeBroken(cause);
  const empty = Object.keys(actions[name].outputs).map((output) => [output, '']);
  const outputs = { ...Object.fromEntries(empty), outcome: 'failed', error: printed(error) };
  const title = 'Failed';
  return {
    outcome: 'failed',
    outputs,
    title,
    closing: title,
    summary: () => '',
    error,
    fails: true,
  };
}

/** Tells how a step ended: outputs first. The only place that fails the step. */
export async function tellEnd(
  { outputs, title, closing, error, fails, summary }: StepEnd,
  environment: StepEnvironment,
): Promise<void> {
  // Everything that an end holds was redacted where it was made.
  const log = createLog((text) => text);
  await tell('outputs', log, () => setOutputs(outputs));
  log.write({ kind: 'line', text: closing });
  if (error !== undefined && fails) log.error(title, error);
  else if (error !== undefined) log.write({ kind: 'warning', diagnostic: error });
  await tell('summary', log, async () => addSummary(await summary(), environment));
  await tell('state', log, () => saveState(postState.reported, 'true'));
  if (fails) failStep();
}
