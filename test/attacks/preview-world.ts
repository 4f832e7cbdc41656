import { expect } from 'vitest';
import type { ActionResult, RunEvent } from '../../emulator/runner.ts';
import {
  number,
  type PullRequestWorld,
  repository,
  startPullRequest,
} from '../dist/pull-request-world.ts';
import { adjust, examplePayload } from '../support/payloads.ts';

/** What the project serves that a branch is called like. */
export const production = 'www.example.com';
export const inputs = { 'preview-domain': '{branch}.example.com' };

/** The event of a pull request from a branch of this name. */
export async function from(
  branch: string,
  action: string,
  { project }: PullRequestWorld,
  which = number,
): Promise<RunEvent> {
  const payload = adjust(examplePayload('pull_request', action), {
    number: which,
    'pull_request.number': which,
    'pull_request.head.ref': branch,
    'pull_request.head.sha': await project.head(),
    'pull_request.head.repo.full_name': repository,
    'pull_request.base.repo.full_name': repository,
  });
  return { name: 'pull_request', payload };
}

/** Runs the action for a pull request from a branch of this name. */
export async function run(
  world: PullRequestWorld,
  branch: string,
  action: string,
  given: Record<string, string> = {},
  which = number,
): Promise<ActionResult> {
  if (action === 'closed') world.close();
  if (action === 'reopened') world.reopen();
  const event = await from(branch, action, world, which);
  return await world.run(action, { event, inputs: { ...inputs, ...given } });
}

/** Where a hostname is: a project's id, null for none, undefined if it is not connected. */
export const placeOf = ({ emulator }: PullRequestWorld, hostname: string) =>
  emulator.world.domains.all.find((domain) => domain.hostname === hostname)?.projectId;

/** A world in which the project of the previews serves `www.example.com`. */
export async function startServing(): Promise<PullRequestWorld> {
  const world = await startPullRequest();
  world.emulator.world.connectDomain(production, world.project.id);
  return world;
}

/** A run that ended because of that site, and left it alone. */
export function expectRefused(
  { outputs, conclusion }: ActionResult,
  world: PullRequestWorld,
): void {
  expect(conclusion).toBe('failure');
  expect(outputs['error']).toContain(production);
  expect(outputs['error']).toContain('{number}');
  expect(placeOf(world, production)).toBe(world.project.id);
}
