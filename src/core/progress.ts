import type { VariableResult } from './report/report.ts';

/**
 * What a command tells while it runs. Texts from outside are clean and redacted already; whoever listens
 * decides how to show them.
 */
export type Progress =
  | { type: 'started'; projectId: string; commit: string }
  /** The environment was read and planned: so many variables are to be written, so many are not. */
  | {
      type: 'environment-planned';
      writes: number;
      unchanged: number;
      undeclared: readonly string[];
    }
  | { type: 'variable'; result: VariableResult }
  | { type: 'environment-done'; milliseconds: number }
  /** The deployment is about to be asked for: from now on it may exist. */
  | { type: 'deployment-requested' }
  | { type: 'deployment-accepted'; deploymentId: string; commit: string }
  /** The deployment's status changed. `elapsed` is in milliseconds since it was accepted. */
  | { type: 'status'; status: string; message?: string; elapsed: number }
  | { type: 'heartbeat'; status: string; elapsed: number }
  | { type: 'build-log'; text: string }
  /** The page under `verify-url` answered otherwise than before. */
  | { type: 'page'; url: string; says: string; elapsed: number }
  /** What is known of a preview domain's verification changed. */
  | { type: 'domain'; hostname: string; statuses: string; elapsed: number }
  /** Something worth knowing that is no fault. */
  | { type: 'note'; text: string }
  /** Something that somebody should do something about. */
  | { type: 'warning'; text: string };
