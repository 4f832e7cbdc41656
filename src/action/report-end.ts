import { writeOrWarn } from '../frame/ending.ts';
import type { StepEnd } from '../frame/step.ts';
import { type ActionName, actions } from '../inputs.ts';
import { DiagnosedError, type Diagnostic, diagnose, printed } from '../kernel/diagnostic.ts';
import { clean, safe, unsafeText } from '../kernel/text/safe.ts';
import type { Platform } from '../platform.ts';
import { postState } from './post/kept.ts';

/** An unexpected error. Its message is not shown, because it may contain a secret, unless it is one of ours. */
function describeBroken(cause: unknown): Diagnostic {
  if (cause instanceof DiagnosedError) return cause.diagnostic;
  const kind = cause instanceof Error ? cause.name : typeof cause;
  return diagnose(
    'SD9003',
    safe`Unexpected error in this action (${unsafeText(clean(kind))}). Please report it with the step's inputs, without secrets.`,
  );
}

/** Warns of an unexpected error in the post step. */
export function warnOfBroken(cause: unknown, platform: Platform): void {
  platform.openLog((text) => text).write({ kind: 'warning', diagnostic: describeBroken(cause) });
}

/** The end of a step with an unexpected error: every output is set. */
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

/** Reports the end of a step, outputs first. The only function that fails the step. */
export async function reportEnd(end: StepEnd, platform: Platform): Promise<void> {
  const { outputs, title, closing, error, fails, summary } = end;
  const kept = await platform.load();
  // Everything in it was redacted where it was made.
  const log = platform.openLog((text) => text);
  await writeOrWarn('outputs', log, () => kept.setOutputs(outputs));
  log.write({ kind: 'line', text: closing });
  if (error !== undefined && fails) log.error(title, error);
  else if (error !== undefined) log.write({ kind: 'warning', diagnostic: error, title });
  await writeOrWarn('summary', log, async () => kept.addSummary(await summary()));
  await writeOrWarn('state', log, () => kept.save(postState.reported, 'true'));
  kept.end(end);
}
