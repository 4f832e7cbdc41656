import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ActionDefinition, ValuesOf } from '../inputs/input.ts';
import {
  DiagnosedError,
  type Diagnostic,
  diagnose,
  type Problem,
  printed,
  reword,
} from '../kernel/diagnostic.ts';
import { type FailureReasons, failsStep } from '../kernel/outcome.ts';
import { clean, safe, unsafeText } from '../kernel/text/safe.ts';
import type { Platform } from '../platform.ts';
import { type RunReport, titleOf } from '../report/closing.ts';
import { plain } from '../report/markdown.ts';
import { explainEmpty, logProblems } from './input-problems.ts';
import type { OpenStep } from './open-step.ts';
import { writeOrWarn } from './run-outcome.ts';
import type { Skip, Wrong } from './skip.ts';
import {
  type ExplainedResult,
  type Recorded,
  RunAborted,
  type Shown,
  type StepResult,
  type Unsent,
} from './step.ts';

/** The name under which a step that has reported its end says so to its post step. */
export const reportedState = 'reported';

const nothingRecorded: Recorded = { commentUrl: '', deploymentId: '' };

/** What ends the steps of one action. */
interface Ends<All, Report extends RunReport> {
  /**
   * Ends a step that may not or can't do its job; nothing was sent to the service.
   *
   * @param comment reports mistakes in the inputs to GitHub
   */
  refuse(
    step: OpenStep<All>,
    refused: Wrong | Skip | RunAborted,
    comment?: (report: Report) => Promise<Partial<Recorded>>,
  ): Promise<StepResult>;
  /** Ends a step that only explains. */
  explain(step: OpenStep<All>, explained: ExplainedResult): Promise<StepResult>;
  /** Completes the report of a run: with how long its step took, and its help. Closes the log's group. */
  complete(step: OpenStep<All>, report: Report): Report;
  /** Sets the outputs before anything else is reported, so that a step that is killed meanwhile has them. */
  setOutputs(step: OpenStep<All>, report: Report): Promise<void>;
  /**
   * Ends a step that has done its job.
   *
   * @param reporting the report to GitHub, which is being sent
   */
  finish(
    report: Report,
    reporting?: Promise<Partial<Recorded>>,
    reasons?: FailureReasons,
  ): Promise<StepResult>;
}

/**
 * Makes what ends the steps of an action.
 *
 * @param unsent makes the report of a step that ended before anything was sent
 * @param show the outputs, texts and summary of a report
 */
export function endsOf<Action extends ActionDefinition, Report extends RunReport>(
  unsent: (step: OpenStep<ValuesOf<Action['inputs']>>, end: Unsent) => Report,
  show: (report: Report, recorded: Recorded) => Shown<Action['outputs']>,
): Ends<ValuesOf<Action['inputs']>, Report> {
  const endOf = (
    report: Report,
    recorded: Partial<Recorded> = {},
    reasons: FailureReasons = {},
  ): StepResult => {
    const { outcome, requests, durationMs, error } = report;
    const shown = show(report, { ...nothingRecorded, ...recorded });
    const outputs = {
      outcome,
      ...shown.outputs,
      requests: String(requests),
      'duration-ms': String(Math.round(durationMs)),
      error: error === undefined ? '' : printed(error),
    };
    return { ...shown, outputs, outcome, error, fails: failsStep(outcome, reasons) };
  };
  const complete = (
    { platform, context, log }: OpenStep<ValuesOf<Action['inputs']>>,
    report: Report,
  ): Report => {
    // Failed work may have left a group open.
    log.endGroup();
    const { troubleshootingUrl: helpUrl } = context;
    return { ...report, durationMs: Date.now() - platform.started, helpUrl };
  };
  const unsentReport = (
    step: OpenStep<ValuesOf<Action['inputs']>>,
    end: Pick<Unsent, 'outcome' | 'error' | 'skippedReason'>,
  ) => complete(step, unsent(step, { requests: 0, durationMs: 0, ...end }));

  return {
    complete,

    async refuse(step, refused, comment) {
      if (refused instanceof RunAborted) {
        const error = reword(refused.diagnostic, (why) => safe`${why} Nothing was sent.`);
        return endOf(unsentReport(step, { outcome: refused.outcome, error }));
      }
      if (refused.kind === 'wrong') {
        const error = await logWrong(step, refused.problems);
        const report = unsentReport(step, { outcome: 'failed', error });
        return { ...endOf(report, await comment?.(report)), isWrong: true };
      }
      const { reason, message } = refused;
      step.log.write({ kind: 'notice', text: `Skipped: ${message}.` });
      const end = endOf(unsentReport(step, { outcome: 'skipped', skippedReason: reason }));
      return {
        ...end,
        summary: () => `## ${titleOf('skipped')}\n\n${plain(unsafeText(message))}.\n`,
      };
    },

    async explain(step, { logEntries, outcome, skippedReason, problems, ...rest }) {
      for (const entry of logEntries) step.log.write(entry);
      const isWrong = problems.length > 0;
      const report = unsentReport(step, {
        outcome,
        skippedReason,
        ...(isWrong && { error: await logWrong(step, problems) }),
      });
      const end = endOf(report);
      const outputs = { ...end.outputs, ...rest.outputs };
      return { ...end, ...rest, outputs, isWrong };
    },

    async setOutputs({ platform, log }, report) {
      // Lets requests to GitHub that the end has started be sent before the report is rendered.
      await nextTurn();
      const kept = await platform.load();
      await writeOrWarn('outputs', log, () => kept.setOutputs(endOf(report).outputs));
    },

    async finish(report, reporting, reasons) {
      // It doesn't depend on what GitHub answers, and is rendered meanwhile.
      const rendering = nextTurn().then(endOf(report).summary);
      // The writer of the summary gets the error.
      rendering.catch(() => undefined);
      return { ...endOf(report, await reporting, reasons), summary: () => rendering };
    },
  };
}

/** Logs problems of the inputs, and returns them in one line. */
async function logWrong(
  { platform, context, log, redact }: OpenStep<unknown>,
  problems: readonly Problem[],
): Promise<Diagnostic> {
  const { howToGive } = await platform.load();
  const explained = problems.map((problem) => explainEmpty(problem, context.event, howToGive));
  return logProblems(explained, log, redact);
}

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

/** The result of a step with an unexpected error: every output is set. */
export function brokenResult(definition: ActionDefinition, cause: unknown): StepResult {
  const error = describeBroken(cause);
  const empty = Object.keys(definition.outputs).map((output) => [output, '']);
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

/** Reports the result of a step, outputs first. The only function that fails the step. */
export async function reportResult(result: StepResult, platform: Platform): Promise<void> {
  const { outputs, title, closing, error, fails, summary } = result;
  const kept = await platform.load();
  // Everything in it was redacted where it was made.
  const log = platform.openLog((text) => text);
  await writeOrWarn('outputs', log, () => kept.setOutputs(outputs));
  log.write({ kind: 'line', text: closing });
  if (error !== undefined && fails) log.error(title, error);
  else if (error !== undefined) log.write({ kind: 'warning', diagnostic: error, title });
  await writeOrWarn('summary', log, async () => kept.addSummary(await summary()));
  await writeOrWarn('state', log, () => kept.save(reportedState, 'true'));
  kept.end(result);
}
