import { type SwapSettings, swapInputs, swapSettings } from '../blue-green/inputs.ts';
import { type Inputs, namesOf } from '../inputs/input.ts';
import type { Values } from '../inputs.ts';
import { type Problem, requiredAndEmpty } from '../kernel/problem.ts';
import type { PullRequest } from '../kernel/pull-request.ts';

/** What a run deploys to. */
export type DeployTarget =
  | { kind: 'project'; id: string }
  /** One of these projects, which the open pull requests lease under this template of hostnames. */
  | {
      kind: 'lease';
      from: readonly string[];
      template: string;
      /** True if a project is given as well: it is for runs that are about no pull request. */
      ignoresProject?: true;
    }
  /** The one of these two that serves none of these domains, which then move to it. */
  | ({ kind: 'swap' } & SwapSettings)
  /** Nothing: it only sweeps. */
  | { kind: 'none' };

const rule = ['project-id', 'preview-projects', 'preview-domain', ...namesOf(swapInputs)] as const;

type TargetValues = Pick<Values<'deploy'>, (typeof rule)[number]>;

/** The project that is given, if there is one, or that a pull request leases. */
function readTarget(
  values: TargetValues,
  pullRequest: PullRequest | undefined,
  mayBeNone: boolean,
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
      'holds project-id: a pull request would lease that project, and push and deploy over what is there. Take it out';
    problems.push({ input: 'preview-projects', code: 'SD1102', message });
  }
  if (from.length > 0 && template !== undefined && pullRequest !== undefined) {
    return { kind: 'lease', from, template, ...(id !== undefined && { ignoresProject: true }) };
  }
  if (id !== undefined) return { kind: 'project', id };
  if (mayBeNone) return { kind: 'none' };
  problems.push({ input: 'project-id', code: 'SD1001', message: requiredAndEmpty });
  return undefined;
}

/**
 * Reads where a run deploys to. A project must be given, unless one is leased, or found idle, or nothing is deployed.
 *
 * @param mayBeNone true if a run without a project has something to do
 * @param problems takes what is wrong with it
 * @returns undefined if one of the inputs is wrong
 */
export function targetFor(
  inputs: Inputs<Pick<Values<'deploy'>, (typeof rule)[number]>>,
  pullRequest: PullRequest | undefined,
  mayBeNone: boolean,
  problems: Problem[],
): DeployTarget | undefined {
  return inputs.with(rule, (values): DeployTarget | undefined => {
    const swap = swapSettings(values);
    if (swap !== undefined) return { kind: 'swap', ...swap };
    // What is wrong with one of the two is told by who knows the event.
    if ((values['swap-projects'] ?? values['swap-domains']) !== undefined) return undefined;
    return readTarget(values, pullRequest, mayBeNone, problems);
  });
}

/** The projects that a preview's hostname may be assigned to. */
export function previewProjects(
  values: Pick<Values<'deploy'>, 'project-id' | 'preview-projects' | 'swap-projects'>,
): string[] {
  const given = values['project-id'];
  const leasedOrIdle = [...(values['preview-projects'] ?? []), ...(values['swap-projects'] ?? [])];
  return [...leasedOrIdle, ...(given === undefined ? [] : [given])];
}
