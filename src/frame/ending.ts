import { adviceFor } from '../kernel/advice.ts';
import { DiagnosedError, type Diagnostic, diagnose, reword } from '../kernel/diagnostic.ts';
import type { Outcome } from '../kernel/outcome.ts';
import { type SafeText, safe, shorten, unsafeText } from '../kernel/text/safe.ts';
import type { Sanitize } from '../kernel/text/sanitize.ts';
import { sentence } from '../kernel/text/sentence.ts';
import { ServiceError } from '../service/errors.ts';
import { EarlyEnd, type Host, RunAborted } from './host.ts';
import type { Found, Run } from './step.ts';

/** The most characters of an error: some list names from the service, which may have a million. */
const longestError = 4000;

/** The outcome of a run. */
export interface Ending {
  outcome: Outcome;
  /** One line: what went wrong and what to do. */
  error?: Diagnostic;
  skippedReason?: string;
}

/** The end of a run because of an error. Once the run's signal has aborted, its reason is the cause. */
export function endByError(host: Host, error: unknown): Ending & { error: Diagnostic } {
  const reason: unknown = host.signal.aborted ? host.signal.reason : error;
  const hasOutcome = reason instanceof RunAborted || reason instanceof EarlyEnd;
  const skipped = reason instanceof EarlyEnd ? reason.skippedReason : undefined;
  return {
    outcome: hasOutcome ? reason.outcome : 'failed',
    error: reword(explainError(reason, host.clean), (text) => shorten(text, longestError)),
    ...(skipped === undefined ? {} : { skippedReason: skipped }),
  };
}

/** The request without a response when the run timed out, and what to change; empty if there is none. */
function describeWait({ client: { cutOff }, host: { signal } }: Run): SafeText {
  const { reason } = signal;
  const isTimedOut = reason instanceof RunAborted && reason.outcome === 'timed-out';
  if (!isTimedOut || cutOff === undefined) return safe``;
  const { operation, last } = cutOff;
  const before = last === undefined ? safe`` : safe` Previous attempt: ${sentence(last.message)}`;
  return safe` The request to ${unsafeText(operation.name)} had no response yet.${before} If the service needs longer, raise timeout.`;
}

/** The number of requests so far, and of attempts without a connection, if any. */
export interface SentSoFar {
  requests: number;
  unconnected?: number;
}

export function sentBy({ requests, unconnected }: Run['client']): SentSoFar {
  return unconnected === 0 ? { requests } : { requests, unconnected };
}

/** The report of a run: findings, outcome, requests and duration. */
type ReportOn<Findings> = Findings & Ending & SentSoFar & { durationMs: number };

/**
 * Runs a command and makes its report. It never throws for an error of the service or the run.
 *
 * @param begun the initial findings
 * @param work returns the last findings and the outcome
 * @param whatIsLeft describes what an aborted or failed run leaves behind, at the end of the error
 * @returns the report; for an aborted run, with the findings so far
 */
export async function reportOn<Findings extends object>(
  run: Run,
  begun: Findings,
  work: (found: Found<Findings>) => Promise<Partial<Findings> & Ending>,
  whatIsLeft: (findings: Findings, error: unknown) => SafeText = () => safe``,
): Promise<ReportOn<Findings>> {
  const { client, host, started } = run;
  let findings = begun;
  let ending: Ending;
  const found: Found<Findings> = (part) => {
    findings = { ...findings, ...part };
  };
  try {
    ending = await work(found);
  } catch (error) {
    const ended = endByError(host, error);
    const left = whatIsLeft(findings, error) || describeWait(run);
    ending = { ...ended, error: reword(ended.error, (text) => safe`${text}${left}`) };
  }
  const durationMs = host.clock.now() - started;
  return { ...findings, ...ending, ...sentBy(client), durationMs };
}

/**
 * An error in one line: what happened, and what to do.
 *
 * @param clean makes the message of an unexpected error printable and free of secrets
 */
export function explainError(error: unknown, clean: Sanitize): Diagnostic {
  if (error instanceof ServiceError) {
    const { code, advice } = adviceFor(error);
    return diagnose(code, safe`${sentence(error.message)} ${advice}`);
  }
  if (error instanceof DiagnosedError) return error.diagnostic;
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return diagnose('SD9003', safe`Unexpected error in this action: ${clean(words)}`);
}
