import { adviceFor } from '../kernel/advice.ts';
import { DiagnosedError, type Diagnostic, diagnose, reword } from '../kernel/diagnostic.ts';
import type { Outcome } from '../kernel/outcome.ts';
import { type SafeText, safe, shorten, unsafeText } from '../kernel/text/safe.ts';
import type { Sanitize } from '../kernel/text/sanitize.ts';
import { sentence } from '../kernel/text/sentence.ts';
import { ServiceError } from '../service/errors.ts';
import { EarlyEnd, type Host, RunAborted } from './host.ts';
import type { Found, Run } from './step.ts';

/** The most characters of an error: some name what the service lists, and it may list a million things. */
const longestError = 4000;

/** How a run ended. */
export interface Ending {
  outcome: Outcome;
  /** One line: what went wrong and what to do. */
  error?: Diagnostic;
  skippedReason?: string;
}

/** Says how a run ends because of an error. Once the run's signal has aborted, its reason is the cause. */
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

/** What a run still waited for when its time was up, and what to change; nothing if that was no answer. */
function describeWait({ client: { cutOff }, host: { signal } }: Run): SafeText {
  const { reason } = signal;
  const isTimedOut = reason instanceof RunAborted && reason.outcome === 'timed-out';
  if (!isTimedOut || cutOff === undefined) return safe``;
  const { operation, last } = cutOff;
  const before =
    last === undefined ? safe`` : safe` The last try before: ${sentence(last.message)}`;
  return safe` The service had not answered yet when it was asked to ${unsafeText(operation.name)}.${before} If it takes longer than that, raise timeout.`;
}

/** What a run has sent the service so far: requests, and attempts that found no connection if there were any. */
export interface SentSoFar {
  requests: number;
  unconnected?: number;
}

/** What was sent by a client so far. */
export function sentBy({ requests, unconnected }: Run['client']): SentSoFar {
  return unconnected === 0 ? { requests } : { requests, unconnected };
}

/** The report of a run: what was found, how it ended, and what it took. */
type ReportOn<Findings> = Findings & Ending & SentSoFar & { durationMs: number };

/**
 * Carries a command out. It never throws for what the service or the run does.
 *
 * @param begun what the report says until more is found
 * @param work gives what is left to say, and how it ended
 * @param whatIsLeft what a run that was cut off or failed leaves behind: the error ends with it
 * @returns the report, also of a run that was cut off: with what was found until then
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
 * @param clean makes the message of an error that nobody foresaw printable and free of secrets
 */
export function explainError(error: unknown, clean: Sanitize): Diagnostic {
  if (error instanceof ServiceError) {
    const { code, advice } = adviceFor(error);
    return diagnose(code, safe`${sentence(error.message)} ${advice}`);
  }
  if (error instanceof DiagnosedError) return error.diagnostic;
  const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return diagnose('SD9003', safe`Unexpected, and a fault of this action: ${clean(words)}`);
}
