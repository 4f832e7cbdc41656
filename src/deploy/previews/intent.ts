import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import { assignedTo } from '../../domains/evaluate.ts';
import type { DeployValues } from '../inputs.ts';

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

/** The preview of a run. */
export interface Preview {
  /** The input `preview-domain`. */
  template: string;
  /** Undefined as long as only GitHub knows a value in it. */
  hostname: string | undefined;
}

/** How previews are ended. */
export interface EndIntent {
  /** A hostname that is assigned to another project is not changed. */
  projects: readonly string[];
  /** True: the domain is disconnected; false: only its assignment is cleared. */
  disconnect: boolean;
}

/** The projects that a preview's hostname may be assigned to. */
export function previewProjects(values: DeployValues): string[] {
  const given = values['project-id'];
  return [...(values['preview-projects'] ?? []), ...(given === undefined ? [] : [given])];
}

/** Reads how the previews of closed pull requests are ended. */
export const endIntent = (values: DeployValues): EndIntent => ({
  projects: previewProjects(values),
  disconnect: values['disconnect-on-close'],
});
