import type { Commit, Sha } from '../contract/commit.ts';
import { DiagnosedError, type Diagnostic } from '../kernel/diagnostic.ts';
import type { Outcome } from '../kernel/outcome.ts';
import type { SafeText } from '../kernel/text/safe.ts';
import type { Sanitize } from '../kernel/text/sanitize.ts';
import type { LogEntry } from '../report/log-entry.ts';
import type { Clock } from '../service/clock.ts';

/** The most characters of a line of a long text. */
export const longestLine = 4000;

/** The most UTF-16 units of a text that are looked at: what is longer is cut. */
export const longestText = 65_536;

/** What a command needs from where it runs: GitHub's runner, a terminal, or a test. */
export interface Host {
  /** Is told what happens, as it happens. */
  report(progress: Progress): void;
  /**
   * Resolves once the reader has taken what was told, so that a long log does not pile up in memory; and lets the
   * deadline and a cancel have their turn. To be awaited after each line of a text that may be long.
   */
  drained(): Promise<void>;
  /** Aborts when the run is cancelled or its time is up; its reason says which. */
  signal: AbortSignal;
  clock: Clock;
  /** Makes outside text printable and free of secrets; free text by `forFreeText` of it. */
  clean: Sanitize;
  /** The same for a line of a long text, of which {@link longestLine} characters are kept. */
  cleanLine: Sanitize;
  /** The same for a text of which all is kept, up to {@link longestText}. True: it may have been cut to that before. */
  cleanText: Sanitize;
  /** A number from 0 to 1. */
  random: () => number;
}

/** Thrown by a part of a run that has to end it: nothing broke, but nothing more may or can be done. */
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

/** What a command tells while it runs; whoever listens decides how to show it. */
export type Progress =
  /** Without a commit where nothing is deployed. */
  | { type: 'started'; projectId: string; commit?: Commit }
  /** The deployment is about to be asked for: from now on it may exist. */
  | { type: 'deployment-requested' }
  /** It was refused: nothing can become of it. */
  | { type: 'deployment-refused' }
  | { type: 'deployment-accepted'; deploymentId: SafeText }
  /** It succeeded, and the run goes on with what comes after it. */
  | { type: 'deployment-succeeded' }
  /** The deployment is about to be undone by another one, of this commit. */
  | { type: 'rolling-back'; commit: Sha }
  | { type: 'message-accepted'; messageId: SafeText }
  /** The status of the deployment or turn changed. `elapsed` is in milliseconds since it was accepted. */
  | { type: 'status'; status: SafeText; message?: SafeText; elapsed: number }
  | { type: 'heartbeat'; status: SafeText; elapsed: number }
  | { type: 'build-log'; text: SafeText }
  /** Domains are about to be moved from a project that serves them to another one. */
  | { type: 'moving'; from: string; to: string; domains: readonly string[]; preview: string }
  /** What the log shows of something. */
  | { type: 'lines'; entries: readonly LogEntry[] }
  /** Something worth knowing that is no fault. */
  | { type: 'note'; text: SafeText }
  /** Something that somebody should do something about. */
  | { type: 'warning'; diagnostic: Diagnostic };
