import type { Project } from '../contract/project.ts';
import type { Diagnostic } from '../kernel/diagnostic.ts';
import type { Outcome } from '../kernel/outcome.ts';
import type { SafeText } from '../kernel/text/safe.ts';
import type { Matrix } from './evaluate.ts';

/** Everything that a run of the projects command has to say. */
export interface ProjectsReport {
  outcome: Outcome;
  /** As the service gives them. */
  projects: readonly Project[];
  matrix: Matrix;
  /** How many the service listed, before name pattern and shard. */
  listed: number;
  created?: { projectId: SafeText; initialMessageId: SafeText; state: SafeText };
  /** What was maybe made twice, and what is known of it, in words. */
  uncertainties?: readonly SafeText[];
  requests: number;
  unconnected?: number;
  durationMs: number;
  /** One line: what went wrong and what to do. */
  error?: Diagnostic;
}
