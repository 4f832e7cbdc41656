import type { Commit, Sha } from '../contract/commit.ts';
import type { Coded } from '../kernel/catalogue/coded.ts';
import type { SafeText } from '../kernel/text/safe.ts';
import type { LogEntry } from '../report/log-entry.ts';

/** What a command tells while it runs; whoever listens decides how to show it. */
export type Progress =
  /** Without a commit where nothing is deployed. */
  | { type: 'started'; projectId: string; commit?: Commit }
  /** The deployment is about to be asked for: from now on it may exist. */
  | { type: 'deployment-requested' }
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
  | { type: 'warning'; text: Coded };
