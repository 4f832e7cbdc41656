import type { Project } from '../contract/project.ts';
import type { Diagnostic } from '../kernel/diagnostic.ts';
import type { Outcome } from '../kernel/outcome.ts';
import type { SafeText } from '../kernel/text/safe.ts';
import type { Matrix } from './evaluate.ts';

export interface ProjectsReport {
  outcome: Outcome;
  /** As the service returns them. */
  projects: readonly Project[];
  matrix: Matrix;
  /** The number that the service listed, before name pattern and shard. */
  listed: number;
  created?: { projectId: SafeText; initialMessageId: SafeText; state: SafeText };
  /** Why something may exist twice. */
  uncertainties?: readonly SafeText[];
  requests: number;
  unconnected?: number;
  durationMs: number;
  /** One line: what went wrong and what to do. */
  error?: Diagnostic;
}
