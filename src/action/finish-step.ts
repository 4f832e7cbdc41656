import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Action, ExplainedEnd, Recorded } from '../frame/action.ts';
import { writeOrWarn } from '../frame/ending.ts';
import type { AccessValues } from '../frame/first-request.ts';
import type { Hidden, OpenLog } from '../frame/open-log.ts';
import type { Skip, Wrong } from '../frame/skip.ts';
import { RunAborted, type StepEnd, type Unsent } from '../frame/step.ts';
import type { ActionName } from '../inputs.ts';
import { type Diagnostic, type Problem, printed, reword } from '../kernel/diagnostic.ts';
import type { RunEvent } from '../kernel/event.ts';
import { type FailureReasons, failsStep } from '../kernel/outcome.ts';
import { createSanitize } from '../kernel/text/redact.ts';
import { safe, unsafeText } from '../kernel/text/safe.ts';
import type { Kept } from '../platform.ts';
import { type RunReport, titleOf } from '../report/closing.ts';
import { plain } from '../report/markdown.ts';
import { explainEmpty, logProblems } from './preflight/problems.ts';
import { openService } from './service.ts';
import type { StartedStep } from './started-step.ts';

const nothingRecorded: Recorded = { commentUrl: '', deploymentId: '' };

/** Where mistakes are logged. */
type Logging = OpenLog & Pick<Kept, 'howToGive'>;

/** A step without work. */
type Refused = Wrong | Skip | RunAborted;

/** Logs problems of the inputs, and returns them in one line. */
const logWrong = (
  problems: readonly Problem[],
  event: RunEvent,
  { log, redact, howToGive }: Logging,
): Diagnostic =>
  logProblems(
    problems.map((problem) => explainEmpty(problem, event, howToGive)),
    log,
    redact,
  );

/** The end of an explained step. */
const explainedResult = (
  {
    outcome,
    skippedReason,
    problems,
  }: Pick<ExplainedEnd, 'outcome' | 'skippedReason' | 'problems'>,
  event: RunEvent,
  opened: Logging,
): Pick<Unsent, 'outcome' | 'error' | 'skippedReason'> => ({
  outcome,
  ...(skippedReason !== undefined && { skippedReason }),
  ...(problems.length > 0 && { error: logWrong(problems, event, opened) }),
});

/** Logs why a step ends before anything is sent to the service, and returns it for the report. */
function refuse(
  refused: Refused,
  event: RunEvent,
  opened: Logging,
): Pick<Unsent, 'outcome' | 'error' | 'skippedReason'> {
  if (refused instanceof RunAborted) {
    const error = reword(refused.diagnostic, (why) => safe`${why} Nothing was sent.`);
    return { outcome: refused.outcome, error };
  }
  if (refused.kind === 'wrong') {
    return { outcome: 'failed', error: logWrong(refused.problems, event, opened) };
  }
  opened.log.write({ kind: 'notice', text: `Skipped: ${refused.message}.` });
  return { outcome: 'skipped', skippedReason: refused.reason };
}

/** The job's summary of a skipped step. */
const skipSummary = (message: string): string =>
  `## ${titleOf('skipped')}\n\n${plain(unsafeText(message))}.\n`;

/** The end of a step, with the outputs that every action has. */
function endOf<Name extends ActionName, Report extends RunReport>(
  action: Pick<Action<Name, Hidden, never, Report>, 'report'>,
  report: Report,
  recorded: Partial<Recorded> = {},
  reasons: FailureReasons = {},
): StepEnd {
  const { outcome, requests, durationMs, error } = report;
  const shown = action.report(report, { ...nothingRecorded, ...recorded });
  const outputs = {
    outcome,
    ...shown.outputs,
    requests: String(requests),
    'duration-ms': String(Math.round(durationMs)),
    error: error === undefined ? '' : printed(error),
  };
  return { ...shown, outputs, outcome, error, fails: failsStep(outcome, reasons) };
}

/**
 * Runs the rest of a step of any action: it ends a step without work, or opens the service, runs the action, sets the
 * outputs and reports.
 */
export async function finishStep<
  Name extends ActionName,
  Read extends Hidden,
  Work extends { values: AccessValues },
  Report extends RunReport,
>(
  action: Action<Name, Read, Work, Report>,
  {
    started,
    step,
    bounds,
    kept,
    read,
    opened,
    prepared,
    transport,
    stores,
  }: StartedStep<Name, Read, Work>,
): Promise<StepEnd> {
  const { context } = step;
  const { log, redact, warn } = opened;
  const { signal } = bounds;
  const logging = { ...opened, howToGive: kept.howToGive };
  const { troubleshootingUrl: helpUrl } = context;
  const durationMs = () => Date.now() - started;
  if (!(prepared instanceof RunAborted) && prepared.kind === 'explained') {
    const explained = prepared.explain(createSanitize(redact));
    const { logEntries, outcome, skippedReason, problems, ...rest } = explained;
    for (const entry of logEntries) log.write(entry);
    const result = explainedResult({ outcome, skippedReason, problems }, context.event, logging);
    const report = action.unsent(step, {
      requests: 0,
      durationMs: durationMs(),
      helpUrl,
      ...result,
    });
    const end = endOf(action, report);
    const isWrong = problems.length > 0 && { isWrong: true as const };
    return { ...end, ...rest, outputs: { ...end.outputs, ...rest.outputs }, ...isWrong };
  }
  if (prepared instanceof RunAborted || prepared.kind !== 'work') {
    const refusal = refuse(prepared, context.event, logging);
    const report = action.unsent(step, {
      requests: 0,
      durationMs: durationMs(),
      helpUrl,
      ...refusal,
    });
    if (!('kind' in prepared)) return endOf(action, report);
    if (prepared.kind === 'wrong') {
      const recorded = await action.reportWrong?.(step, report, { warn, signal });
      return { ...endOf(action, report, recorded), isWrong: true };
    }
    return { ...endOf(action, report), summary: () => skipSummary(prepared.message) };
  }

  const { values } = prepared.work;
  await using service = openService({
    values,
    transport,
    log,
    redact,
    bounds,
    identity: context.identity,
    save: kept.save,
  });
  const executing = action.execute(step, read, prepared.work, {
    ...opened,
    ...service,
    save: kept.save,
    stores,
  });
  // Aborted or failed work may have left a group open.
  const done = await executing.finally(() => log.endGroup());
  // Lets requests to GitHub that its end has started be sent before the report is rendered.
  await nextTurn();
  const early = { ...done.report, durationMs: durationMs(), helpUrl };
  // Before anything else is reported, so that a step that is killed meanwhile has its outputs.
  const { outputs } = endOf(action, early);
  if (done.ledgers ?? done.notify)
    await writeOrWarn('outputs', log, () => kept.setOutputs(outputs));
  const report = (await done.complete?.(early)) ?? early;
  const { summary } = endOf(action, report);
  const notifying = Promise.all([done.notify?.(report), done.ledgers?.allSaved()]);
  // It doesn't depend on the other reports, and is rendered while they are sent.
  const rendering = nextTurn().then(summary);
  // The writer of the summary gets the error.
  rendering.catch(() => undefined);
  const [recorded] = await notifying;
  return { ...endOf(action, report, recorded, done), summary: () => rendering };
}
