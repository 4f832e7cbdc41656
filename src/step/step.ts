import type { Commit, Sha } from '../contract/commit.ts';
import type { Inputs } from '../inputs/input.ts';
import { DiagnosedError, type Diagnostic, diagnose } from '../kernel/diagnostic.ts';
import type { Outcome } from '../kernel/outcome.ts';
import type { SkipReason } from '../kernel/skip-reason.ts';
import { formatDuration } from '../kernel/text/format.ts';
import type { Redact } from '../kernel/text/redact.ts';
import { type SafeText, type Sanitize, safe } from '../kernel/text/safe.ts';
import type { Log, OnCancel, ReadFile, RunContext, StepEnvironment } from '../platform.ts';
import type { LogEntry } from '../report/log-entry.ts';
import type { ServiceClient } from '../service/client.ts';
import type { Clock } from '../service/clock.ts';

/** The most characters of a line of a long text. */
export const longestLine = 4000;

/** The most UTF-16 units of a text that are read. */
export const longestText = 65_536;

/** What a command needs from where it runs: GitHub's runner, a terminal, or a test. */
export interface Host {
  /** Reports progress. */
  report(progress: Progress): void;
  /**
   * Resolves once the output is written, so that a long log doesn't fill the memory; timers and signals run meanwhile.
   * To be awaited after each line of a text that may be long.
   */
  drained(): Promise<void>;
  /** Aborts when the run is canceled or times out; its reason says which. */
  signal: AbortSignal;
  clock: Clock;
  /** Makes outside text printable and free of secrets. */
  clean: Sanitize;
  /** The same for a line of a long text, of which {@link longestLine} characters are kept. */
  cleanLine: Sanitize;
  /** The same for a whole text, up to {@link longestText}. True: it may have been cut to that before. */
  cleanText: Sanitize;
  /** A number from 0 to 1. */
  random: () => number;
}

/** Thrown to end a run early that must not or can't continue. */
export class Stop extends DiagnosedError {
  override readonly name = 'Stop';
  readonly outcome: Outcome;
  readonly skippedReason: SkipReason | undefined;

  constructor(outcome: Outcome, diagnostic: Diagnostic, skippedReason?: SkipReason) {
    super(diagnostic);
    this.outcome = outcome;
    this.skippedReason = skippedReason;
  }
}

/** The reason with which a run's signal aborts. */
export class RunAborted extends DiagnosedError {
  override readonly name = 'RunAborted';
  readonly outcome: 'timed-out' | 'cancelled';
  /** When that was, in milliseconds since the epoch. */
  readonly at: number = Date.now();

  constructor(outcome: 'timed-out' | 'cancelled', diagnostic: Diagnostic) {
    super(diagnostic);
    this.outcome = outcome;
  }
}

/** The bounds of a run: its signal, which aborts at the deadline or when the run is canceled. */
export interface Bounds extends Disposable {
  signal: AbortSignal;
  /** Milliseconds since the epoch. */
  deadline: number;
}

/** A step that was aborted before its first request has sent nothing, and ends so. @throws any other error */
export function orAborted(error: unknown): RunAborted {
  if (error instanceof RunAborted) return error;
  throw error;
}

/** The longest timer, in milliseconds: a step whose input `timeout` is invalid sends nothing anyway. */
const longest = 2 ** 31 - 1;

/**
 * Sets the bounds of a run.
 *
 * @param started when it began, in milliseconds since the epoch
 * @param timeout milliseconds from then; undefined if the input is invalid
 */
export function boundRun(onCancel: OnCancel, started: number, timeout = longest): Bounds {
  const controller = new AbortController();
  const abort = (outcome: 'timed-out' | 'cancelled', message: Diagnostic) =>
    controller.abort(new RunAborted(outcome, message));
  const stopListening = onCancel(() => abort('cancelled', diagnose('SD9002', safe`Canceled.`)));
  // Formatted only when it has passed, which takes long the first time.
  const expire = () =>
    abort(
      'timed-out',
      diagnose('SD9001', safe`Timed out after ${formatDuration(timeout)} (timeout).`),
    );
  const deadline = started + timeout;
  const timer = setTimeout(expire, Math.max(0, deadline - Date.now()));
  return {
    signal: controller.signal,
    deadline,
    [Symbol.dispose]: () => {
      clearTimeout(timer);
      stopListening();
    },
  };
}

/** The progress of a command; the host decides how to show it. */
export type Progress =
  /** Without a commit where nothing is deployed. */
  | { type: 'started'; projectId: string; commit?: Commit }
  | { type: 'deployment-accepted'; deploymentId: SafeText }
  /** The deployment is about to be rolled back to this commit. */
  | { type: 'rolling-back'; commit: Sha }
  | { type: 'message-accepted'; messageId: SafeText }
  /** The status of the deployment or turn changed. `elapsed` is in milliseconds since it was accepted. */
  | { type: 'status'; status: SafeText; message?: SafeText | undefined; elapsed: number }
  | { type: 'heartbeat'; status: SafeText; elapsed: number }
  | { type: 'build-log'; text: SafeText }
  /** Lines for the log. */
  | { type: 'lines'; entries: readonly LogEntry[] }
  /** Information that is not a warning. */
  | { type: 'note'; text: SafeText }
  /** Something that needs action. */
  | { type: 'warning'; diagnostic: Diagnostic };

/** A step whose inputs are read; `All` are their values. */
export interface Step<All> {
  inputs: Inputs<All>;
  context: RunContext;
  environment: StepEnvironment;
  /** Secrets of the platform, such as the job's token. */
  secrets: readonly string[];
  readFile: ReadFile;
}

/** The log of a step that has masked its secrets. */
export interface OpenLog {
  log: Log;
  redact: Redact;
  warn: (diagnostic: Diagnostic<string>) => void;
}

/** The context before the first request to the service. */
export interface Preflight {
  warn: (diagnostic: Diagnostic<string>) => void;
  /** Aborts when the run is canceled or times out. */
  signal: AbortSignal;
}

/** Makes the idempotency key of one operation on one target; the same for each retry in one process. */
export type KeyFor = (operation: string, target: string) => string;

/** What all stages of a command share. */
export interface Run {
  client: ServiceClient;
  host: Host;
  keyFor: KeyFor;
  /** When it began, in milliseconds since the epoch. */
  started: number;
}

/** The context while the service is open. */
export interface Open extends OpenLog, Run {}
