import type { Commit, Sha } from '../contract/commit.ts';
import { DiagnosedError, type Diagnostic } from '../kernel/diagnostic.ts';
import type { Outcome } from '../kernel/outcome.ts';
import type { SafeText } from '../kernel/text/safe.ts';
import type { Sanitize } from '../kernel/text/sanitize.ts';
import type { LogEntry } from '../report/log-entry.ts';
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
  /** Makes outside text printable and free of secrets; free text by `forFreeText` of it. */
  clean: Sanitize;
  /** The same for a line of a long text, of which {@link longestLine} characters are kept. */
  cleanLine: Sanitize;
  /** The same for a whole text, up to {@link longestText}. True: it may have been cut to that before. */
  cleanText: Sanitize;
  /** A number from 0 to 1. */
  random: () => number;
}

/** Thrown to end a run early that must not or can't continue. */
export class EarlyEnd extends DiagnosedError {
  override readonly name = 'EarlyEnd';
  readonly outcome: Outcome;
  readonly skippedReason: string | undefined;

  constructor(outcome: Outcome, diagnostic: Diagnostic, skippedReason?: string) {
    super(diagnostic);
    this.outcome = outcome;
    this.skippedReason = skippedReason;
  }
}

/** The reason with which a run's signal aborts. */
export class RunAborted extends DiagnosedError {
  override readonly name = 'RunAborted';
  readonly outcome: 'timed-out' | 'cancelled';

  constructor(outcome: 'timed-out' | 'cancelled', diagnostic: Diagnostic) {
    super(diagnostic);
    this.outcome = outcome;
  }
}

/** The progress of a command; the host decides how to show it. */
export type Progress =
  /** Without a commit where nothing is deployed. */
  | { type: 'started'; projectId: string; commit?: Commit }
  /** The deployment is about to be requested: from now on it may exist. */
  | { type: 'deployment-requested' }
  /** It was refused and can't go live. */
  | { type: 'deployment-refused' }
  | { type: 'deployment-accepted'; deploymentId: SafeText }
  /** It succeeded, and the run continues with its later stages. */
  | { type: 'deployment-succeeded' }
  /** The deployment is about to be rolled back to this commit. */
  | { type: 'rolling-back'; commit: Sha }
  | { type: 'message-accepted'; messageId: SafeText }
  /** The status of the deployment or turn changed. `elapsed` is in milliseconds since it was accepted. */
  | { type: 'status'; status: SafeText; message?: SafeText; elapsed: number }
  | { type: 'heartbeat'; status: SafeText; elapsed: number }
  | { type: 'build-log'; text: SafeText }
  /** Domains are about to be moved from one project to another. */
  | { type: 'moving'; from: string; to: string; domains: readonly string[]; preview: string }
  /** Lines for the log. */
  | { type: 'lines'; entries: readonly LogEntry[] }
  /** Information that is not a warning. */
  | { type: 'note'; text: SafeText }
  /** Something that needs action. */
  | { type: 'warning'; diagnostic: Diagnostic };
