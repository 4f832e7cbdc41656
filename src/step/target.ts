import type { DeployValues } from '../deploy/inputs.ts';
import { type Problem, requiredAndEmpty } from '../kernel/diagnostic.ts';

/** The target of a run. */
export type DeployTarget =
  | { kind: 'project'; id: string }
  /** One of these projects, which open pull requests lease under hostnames of this template. */
  | { kind: 'lease'; from: readonly string[]; template: string }
  /** None: the run only sweeps or checks. */
  | { kind: 'none' };

type TargetValues = Pick<DeployValues, 'project-id' | 'preview-projects' | 'preview-domain'>;

/**
 * The given project, or one that a pull request leases. project-id is required unless a project is leased, or nothing
 * is deployed.
 *
 * @param mayBeNone true if a run without a project has work
 * @param problems mistakes are added to it
 * @returns undefined if one of the inputs is wrong
 */
export function readTarget(
  values: TargetValues,
  { isAboutPull, mayBeNone }: { isAboutPull: boolean; mayBeNone: boolean },
  problems: Problem[],
): DeployTarget | undefined {
  const { 'project-id': id, 'preview-projects': from = [], 'preview-domain': template } = values;
  if (from.length > 0 && template === undefined) {
    problems.push({
      input: 'preview-projects',
      code: 'SD1101',
      message: 'needs preview-domain',
    });
  }
  if (id !== undefined && from.includes(id)) {
    const message =
      'contains project-id: a pull request would use that project and overwrite it. Remove it from the list';
    problems.push({ input: 'preview-projects', code: 'SD1102', message });
  }
  if (from.length > 0 && template !== undefined && isAboutPull) {
    return { kind: 'lease', from, template };
  }
  if (id !== undefined) return { kind: 'project', id };
  if (mayBeNone) return { kind: 'none' };
  problems.push({ input: 'project-id', code: 'SD1001', message: requiredAndEmpty });
  return undefined;
}

/** The projects that a preview's hostname may be assigned to. */
export function previewProjects(
  values: Pick<DeployValues, 'project-id' | 'preview-projects'>,
): string[] {
  const given = values['project-id'];
  return [...(values['preview-projects'] ?? []), ...(given === undefined ? [] : [given])];
}
