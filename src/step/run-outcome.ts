import { adviceFor } from '../kernel/advice.ts';
import { DiagnosedError, type Diagnostic, diagnose, reword } from '../kernel/diagnostic.ts';
import type { Outcome } from '../kernel/outcome.ts';
import type { SkipReason } from '../kernel/skip-reason.ts';
import { sentence } from '../kernel/text/format.ts';
import { type SafeText, type Sanitize, safe, shorten, unsafeText } from '../kernel/text/safe.ts';
import type { Log } from '../platform.ts';
import type { RunCost } from '../report/closing.ts';
import { ServiceError } from '../service/errors.ts';
import { type Host, type Run, RunAborted, Stop } from './step.ts';

/** The outcome of a run. */
export interface RunOutcome {
  outcome: Outcome;
  /** One line: what went wrong and what to do. */
  error?: Diagnostic;
  skippedReason?: SkipReason | undefined;
}

/**
 * Runs a command and makes its report. It never throws for an error of the service or the run.
 *
 * @param report what is known so far; the work fills it, so that it is complete however the run ends
 * @param whatIsLeft describes what an aborted or failed run leaves behind, at the end of the error
 */
export async function reportOn<State extends object>(
  run: Run,
  report: State,
  work: () => Promise<RunOutcome>,
  whatIsLeft: (error: unknown) => SafeText = () => safe``,
): Promise<State & RunOutcome & RunCost> {
  const { client, host, started } = run;
  let outcome: RunOutcome;
  try {
    outcome = await work();
  } catch (error) {
    outcome = failRun(run, error, whatIsLeft(error));
  }
  const durationMs = host.clock.now() - started;
  return { ...report, ...outcome, ...sentBy(client), durationMs };
}

/** How many requests a client has sent so far, and how many attempts had no connection. */
export function sentBy({ requests, unconnected }: Run['client']): Omit<RunCost, 'durationMs'> {
  return unconnected === 0 ? { requests } : { requests, unconnected };
}

/**
 * The outcome of a run that failed, with what is left and what it waited for.
 *
 * @param left what an aborted or failed run leaves behind, at the end of the error
 */
export function failRun(run: Run, error: unknown, left: SafeText): RunOutcome {
  const failed = outcomeByError(run.host, error);
  const more = left || describeWait(run);
  return { ...failed, error: reword(failed.error, (text) => safe`${text}${more}`) };
}

/** The outcome of a run that failed. Once its signal has aborted, the signal's reason is the cause. */
export function outcomeByError(
  host: Pick<Host, 'signal' | 'clean'>,
  error: unknown,
): RunOutcome & { error: Diagnostic } {
  const reason: unknown = host.signal.aborted ? host.signal.reason : error;
  const hasOutcome = reason instanceof RunAborted || reason instanceof Stop;
  return {
    outcome: hasOutcome ? reason.outcome : 'failed',
    error: reword(explainError(reason, host.clean), (text) => shorten(text, longestError)),
    skippedReason: reason instanceof Stop ? reason.skippedReason : undefined,
  };
}

/** The most characters of an error: some list names from the service, which may have a million. */
const longestError = 4000;

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
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return diagnose('SD9003', safe`Unexpected error in this action: ${clean(message)}`);
}

/** The request without a response when the run timed out, and what to change; empty if there is none. */
function describeWait({ client: { cutOff }, host: { signal } }: Run): SafeText {
  const { reason } = signal;
  const isTimedOut = reason instanceof RunAborted && reason.outcome === 'timed-out';
  if (!isTimedOut || cutOff === undefined) return safe``;
  const { operation, last } = cutOff;
  const what =
    last === undefined
      ? safe`The request to ${unsafeText(operation.name)}`
      : safe`${sentence(last.message)} The next attempt`;
  return safe` ${what} got no response. If the service is slow, raise timeout.`;
}

/** Waits for all. The first in the list that failed ends the run then, and the others are warnings. */
export async function allOrFirstFailure<const T extends readonly unknown[]>(
  host: Host,
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const ends = await Promise.allSettled(work);
  const [first, ...others] = ends.filter((end) => end.status === 'rejected');
  for (const { reason } of others) warnOf(host, reason);
  if (first !== undefined) throw first.reason;
  return (await Promise.all(work)) as { -readonly [K in keyof T]: Awaited<T[K]> };
}

/** Reports an error in addition to the one that ends the run. */
export function warnOf(host: Host, error: unknown): void {
  if (host.signal.aborted) return;
  host.report({ type: 'warning', diagnostic: explainError(error, host.clean) });
}

/** Refers to the first failure of the same kind, with the request's id; undefined for the first. */
export type SameAs = (name: SafeText, error: unknown) => SafeText | undefined;

/** Makes the function by which repeated failures are described in full only once. */
export function createSameAs(): SameAs {
  const firstOf = new Map<string, SafeText>();
  return (name, error) => {
    const kind = kindOf(error);
    if (kind === undefined) return undefined;
    const first = firstOf.get(kind);
    if (first === undefined) {
      firstOf.set(kind, name);
      return undefined;
    }
    const { requestId } = error instanceof ServiceError ? error.details : {};
    const id = requestId === undefined ? safe`` : safe` (request id ${requestId})`;
    return safe`same error as ${first}${id}`;
  };
}

/** A key that two failures share if only their subjects and requests differ. */
function kindOf(error: unknown): string | undefined {
  if (!(error instanceof ServiceError)) return undefined;
  const { operation, fault, status, code, detail, isLost } = error.details;
  return JSON.stringify([operation.name, fault, status, code, detail, isLost]);
}

/** Why a plan that is only shown would not be applied. */
export const asPlanRefusal = (refusal: Diagnostic): Diagnostic =>
  reword(refusal, (why) => safe`This plan can't be applied. ${why}`);

/** How long to wait for GitHub at the end of a run. */
export interface GracePeriod {
  /** Aborts the requests started during the run, to leave time for the rest. */
  start: AbortSignal;
  /** Aborts everything. */
  whole: AbortSignal;
}

/**
 * Starts the grace period: 20 s, and 3 s after the run is canceled, or less if a canceled run has already used most of its time.
 *
 * @param run the run's signal; undefined after the run
 */
export function startGracePeriod(run?: AbortSignal): GracePeriod {
  return { start: signalFor(run, share), whole: signalFor(run, 1) };
}

/** How long reporting the end to GitHub may take, in milliseconds. */
const usual = 20_000;

/** The same after a cancel: at most, and at least. The runner kills a canceled step 10 s after it. */
const cancelled = { most: 3000, least: 1500, untilKill: 10_000 };

/** The share of it that requests started during the run may take. */
const share = 0.3;

function signalFor(run: AbortSignal | undefined, part: number): AbortSignal {
  const cutShort = new AbortController();
  const shorten = () => {
    if (!(run?.reason instanceof RunAborted) || run.reason.outcome !== 'cancelled') return;
    const left = cancelled.untilKill - cancelled.least - (Date.now() - run.reason.at);
    const limited = Math.max(cancelled.least, Math.min(left, cancelled.most));
    setTimeout(() => cutShort.abort(), limited * part).unref();
  };
  if (run?.aborted === true) shorten();
  else run?.addEventListener('abort', shorten, { once: true });
  return AbortSignal.any([AbortSignal.timeout(usual * part), cutShort.signal]);
}

/** Runs work that only reports. Its failure is a warning: it must not fail a good deployment. */
export async function writeOrWarn(
  what: string,
  log: Pick<Log, 'write'>,
  work: () => unknown,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    const text = `Could not write the step's ${what}${code}`;
    log.write({ kind: 'warning', diagnostic: diagnose('SD8101', text) });
  }
}
