import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  DiagnosedError,
  type Diagnostic,
  diagnose,
  type Problem,
  reword,
} from '../kernel/diagnostic.ts';
import { type FailureReasons, failsStep } from '../kernel/outcome.ts';
import type { SkipReason } from '../kernel/skip-reason.ts';
import { clean, safe, unsafeText } from '../kernel/text/safe.ts';
import type { commonOutputs } from '../output-shapes.ts';
import type { Platform, StepOutcome } from '../platform.ts';
import { type RunReport, titleOf } from '../report/closing.ts';
import type { ExplainedOutcome } from '../report/explanation.ts';
import type { LogEntry } from '../report/log-entry.ts';
import { plain } from '../report/markdown.ts';
import type { OutputValues, RunResult } from '../report/outputs.ts';
import { explainProblem, logProblems, type Mistakes } from './input-problems.ts';
import type { OpenStep } from './open-step.ts';
import { type RunOutcome, writeOrWarn } from './run-outcome.ts';
import type { Skip, Wrong } from './skip.ts';
import { RunAborted } from './step.ts';

/** The name under which a step tells its post step that it has reported: `true`, or `broken` by an unexpected error. */
export const reportedState = 'reported';

/** A report as it is shown. */
interface Shown<Outputs> {
  /** All of the action's own outputs; undefined where there is nothing to say. */
  outputs: Omit<Outputs, 'outcome' | keyof typeof commonOutputs>;
  /** The result in a few words; also the title of its error. */
  title: string;
  /** The last line of the log. */
  closing: string;
  /** Markdown for the job's summary. It is rendered last, so that nothing waits for it. */
  summary: () => string | Promise<string>;
}

/** The result of a step, to be reported at its end. */
export interface StepResult extends Omit<Shown<unknown>, 'outputs'>, RunResult, StepOutcome {
  error: Diagnostic | undefined;
  /** True after an unexpected error: what was begun on GitHub may have no end, which the post step records. */
  isBroken?: boolean;
}

/** The result of a step that only explains. */
export interface ExplainedResult extends Shown<OutputValues> {
  /** The outcome a run would have; `failed` fails the step. */
  outcome: ExplainedOutcome;
  skippedReason?: SkipReason | undefined;
  /** Why a run would fail. */
  problems: readonly Problem[];
  logEntries: readonly LogEntry[];
}

/** The run's comment and deployment on GitHub; empty where there is none. */
export interface Recorded {
  commentUrl: string;
  deploymentId: string;
}

/** How an action makes and shows its reports. */
export interface View<Values, Outputs, Report extends RunReport> {
  /** The action's name. */
  action: string;
  /** The report of a step that ended before anything was sent. */
  unsent(step: OpenStep<Values>, outcome: RunOutcome & { requests: 0; durationMs: 0 }): Report;
  /** The outputs, texts and summary of a report. */
  show(report: Report, recorded: Recorded): Shown<Outputs>;
}

/**
 * Ends a step that may not or can't do its job; nothing was sent to the service.
 *
 * @param comment reports mistakes in the inputs to GitHub, as env-sync and domains do
 */
export async function refuse<Values, Report extends RunReport>(
  step: OpenStep<Values>,
  view: View<Values, OutputValues, Report>,
  refused: Wrong | Skip | RunAborted,
  comment?: (report: Report) => Promise<Partial<Recorded>>,
): Promise<StepResult> {
  if (refused instanceof RunAborted) {
    const error = reword(refused.diagnostic, (why) => safe`${why} Nothing was sent.`);
    return resultOf(view, unsentReport(step, view, { outcome: refused.outcome, error }));
  }
  if (refused.kind === 'wrong') {
    const { error, wrongInputs } = logWrong(step, refused.problems);
    const report = unsentReport(step, view, { outcome: 'failed', error });
    return { ...resultOf(view, report, await comment?.(report)), wrongInputs, isWrong: true };
  }
  const { reason, message } = refused;
  step.log.write({ kind: 'notice', text: `Skipped: ${message}.` });
  const report = unsentReport(step, view, { outcome: 'skipped', skippedReason: reason });
  const summary = () => `## ${titleOf('skipped')}\n\n${plain(unsafeText(message))}.\n`;
  return { ...resultOf(view, report), summary };
}

/** Ends a step that only explains. */
export async function explain<Values, Report extends RunReport>(
  step: OpenStep<Values>,
  view: View<Values, OutputValues, Report>,
  { logEntries, outcome, skippedReason, problems, ...texts }: ExplainedResult,
): Promise<StepResult> {
  for (const entry of logEntries) step.log.write(entry);
  const wrong = problems.length > 0 ? logWrong(step, problems) : undefined;
  const unsent: RunOutcome = { outcome, skippedReason, ...(wrong && { error: wrong.error }) };
  const result = resultOf(view, unsentReport(step, view, unsent));
  const outputs = { ...result.outputs, ...texts.outputs };
  const { wrongInputs } = wrong ?? {};
  return { ...result, ...texts, outputs, wrongInputs, isWrong: wrong !== undefined };
}

/** Completes the report of a run: with how long its step took, and its help. Closes the log's group. */
export function complete<Report extends RunReport>(
  { platform, context, log }: OpenStep<unknown>,
  report: Report,
): Report {
  // Failed work may have left a group open.
  log.endGroup();
  const { troubleshootingUrl: helpUrl } = context;
  return { ...report, durationMs: Date.now() - platform.started, helpUrl };
}

/**
 * Sets the outputs before anything else is reported, so that a step that is killed meanwhile has them. {@link reportResult}
 * sets them again, with what GitHub has answered.
 */
export async function setOutputs<Values, Report extends RunReport>(
  { platform, log }: OpenStep<unknown>,
  view: View<Values, OutputValues, Report>,
  report: Report,
): Promise<void> {
  // Lets requests to GitHub that the end has started be sent before the report is rendered.
  await nextTurn();
  const kept = await platform.load();
  await writeOrWarn('outputs', log, () => kept.setOutputs(resultOf(view, report)));
}

/**
 * Ends a step that has done its job.
 *
 * @param reporting the report to GitHub, which is being sent
 */
export async function finish<Values, Report extends RunReport>(
  view: View<Values, OutputValues, Report>,
  report: Report,
  reporting?: Promise<Partial<Recorded>>,
  reasons?: FailureReasons,
): Promise<StepResult> {
  // It doesn't depend on what GitHub answers, and is rendered meanwhile.
  const rendering = nextTurn().then(resultOf(view, report).summary);
  // The writer of the summary gets the error.
  rendering.catch(() => undefined);
  return { ...resultOf(view, report, await reporting, reasons), summary: () => rendering };
}

function resultOf<Values, Report extends RunReport>(
  { action, show }: View<Values, OutputValues, Report>,
  report: Report,
  { commentUrl = '', deploymentId = '' }: Partial<Recorded> = {},
  reasons: FailureReasons = {},
): StepResult {
  const { outcome, requests, durationMs, error } = report;
  const shown = show(report, { commentUrl, deploymentId });
  const outputs = {
    outcome,
    ...shown.outputs,
    requests,
    'duration-ms': Math.round(durationMs),
  };
  return { ...shown, action, outputs, outcome, error, fails: failsStep(outcome, reasons) };
}

const unsentReport = <Values, Report extends RunReport>(
  step: OpenStep<Values>,
  { unsent }: View<Values, OutputValues, Report>,
  outcome: RunOutcome,
): Report => complete(step, unsent(step, { requests: 0, durationMs: 0, ...outcome }));

/** Logs problems of the inputs. */
function logWrong(
  step: Pick<OpenStep<unknown>, 'context' | 'environment' | 'log' | 'redact'>,
  problems: readonly Problem[],
): Mistakes {
  const explained = problems.map((problem) => explainProblem(problem, step));
  return logProblems(explained, step.log, step.redact);
}

/** An unexpected error. Its message is not shown, because it may contain a secret, unless it is one of ours. */
export function describeBroken(cause: unknown): Diagnostic {
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

/** The result of a step with an unexpected error: only that is known of it. */
export function brokenResult(action: string, cause: unknown): StepResult {
  const outcome = 'failed';
  const error = describeBroken(cause);
  const title = 'Failed';
  return {
    action,
    outcome,
    outputs: { outcome },
    title,
    closing: title,
    summary: () => '',
    error,
    fails: true,
    isBroken: true,
  };
}

/** Reports the result of a step, outputs first. The only function that fails the step. */
export async function reportResult(result: StepResult, platform: Platform): Promise<void> {
  const { title, closing, error, fails, summary, isBroken } = result;
  const kept = await platform.load();
  // Everything in it was redacted where it was made.
  const log = platform.openLog((text) => text);
  await writeOrWarn('outputs', log, () => kept.setOutputs(result));
  log.write({ kind: 'line', text: closing });
  if (error !== undefined && fails) log.error(title, error);
  else if (error !== undefined) log.write({ kind: 'warning', diagnostic: error, title });
  await writeOrWarn('summary', log, async () => kept.addSummary(await summary()));
  await writeOrWarn('state', log, () =>
    kept.save(reportedState, isBroken === true ? 'broken' : 'true'),
  );
  kept.end(result);
}
