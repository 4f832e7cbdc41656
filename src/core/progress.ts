import type { Commit, Sha } from '../contract/commit.ts';
import type { Coded } from './catalogue/coded.ts';
import type { GitStep } from './git/brought.ts';
import type { ChangeResult } from './report/domains-report.ts';
import type { VariableResult } from './report/environment-result.ts';
import type { DomainReport } from './report/report.ts';
import type { SafeText } from './text/safe.ts';

/** What a command tells while it runs; whoever listens decides how to show it. */
export type Progress =
  /** Without a commit where nothing is deployed. */
  | { type: 'started'; projectId: string; commit?: Commit }
  /** The environment was read and planned: so many variables are to be written or deleted, so many are not. */
  | {
      type: 'environment-planned';
      writes: number;
      deletions: number;
      unchanged: number;
      /** Changed elsewhere, and left alone. */
      left: number;
      /** Declared names that the service has more than once. */
      ambiguous: number;
      undeclared: readonly SafeText[];
    }
  | { type: 'variable'; result: VariableResult; isPlanned: boolean }
  /** A write on a domain was done, failed, or is planned. */
  | { type: 'change'; result: ChangeResult }
  /** `isNothing`: there was nothing to do, and nothing to look at. */
  | { type: 'environment-done'; milliseconds: number; isNothing: boolean }
  /** A part of the work on the project's repository begins. */
  | { type: 'git'; step: GitStep }
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
  /** A check was answered otherwise than before; `what` is its question. */
  | { type: 'check'; what: SafeText; says: SafeText; elapsed: number }
  /** What is known of a domain's verification changed. */
  | {
      type: 'domain';
      hostname: SafeText;
      verification: DomainReport['verification'];
      statuses: SafeText;
      elapsed: number;
    }
  /** Domains are about to be moved from a project that serves them to another one. */
  | { type: 'moving'; from: string; to: string; domains: readonly string[]; preview: string }
  /** Something worth knowing that is no fault. */
  | { type: 'note'; text: SafeText }
  /** Something that somebody should do something about. */
  | { type: 'warning'; text: Coded };
