import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { assignedTo } from '../domains/evaluate.ts';

/**
 * The project to which a hostname is assigned, if the hostname must not be moved from there.
 *
 * @param known the projects to which the run may deploy
 */
export function foreignProject(
  known: readonly string[],
  domain: ConnectedDomain,
): string | undefined {
  const projectId = assignedTo(domain);
  const folded = projectId?.toLowerCase();
  return known.some((one) => one.toLowerCase() === folded) ? undefined : projectId;
}

/** The result of removing a preview: removed now, removed or absent before, kept, or unknown. */
export type Removal = 'done' | 'before' | 'left' | 'unknown';

/** The preview that a run deploys to. */
export interface PreviewIntent {
  /** The input `preview-domain`. */
  template: string;
  hostname: string;
  /** The time limit for the domain's verification, in milliseconds. */
  timeout: number;
  /** True: a domain that is not verified in time fails the run; false: it is a warning. */
  strict: boolean;
}

/** Why a run has no preview domain: none is configured, or it needs the number of a pull request. */
export type NoPreview = 'no-template' | 'no-number';

/** How previews are ended. */
export interface EndIntent {
  /** A hostname that is assigned to another project is not changed. */
  projects: readonly string[];
  /** True: the domain is disconnected; false: only its assignment is cleared. */
  disconnect: boolean;
}

/** How the previews of closed pull requests are ended, and what is updated on GitHub. */
export interface SweepIntent extends EndIntent {
  updates: { comment: boolean; deployment: boolean };
}
