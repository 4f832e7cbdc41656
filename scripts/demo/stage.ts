import { styleText } from 'node:util';
import type { EmulatedProject, Emulator } from '../../emulator/index.ts';
import { project as projectShape } from '../../src/contract/project.ts';
import { pushChange } from '../player/change.ts';

let failures = 0;

/** How many claims did not hold. */
export const failed = (): number => failures;

/** Announces what comes. */
export function title(text: string): void {
  console.log(`\n${styleText('bold', text)}`);
}

/** Says whether a claim holds. */
export function check(holds: boolean, claim: string): void {
  console.log(`  ${holds ? styleText('green', '✓') : styleText('red', '✗')} ${claim}`);
  if (!holds) failures += 1;
}

/** Shows a line of somebody else's output. */
export function quote(line: string): void {
  console.log(`  ${styleText('dim', '│')} ${line}`);
}

/** Creates a project through the service's own interface. */
export async function createProject(emulator: Emulator): Promise<EmulatedProject> {
  const response = await fetch(`${emulator.url}/v1/projects`, {
    method: 'POST',
    headers: { 'x-api-key': emulator.key, 'content-type': 'application/json' },
    body: '{}',
  });
  return emulator.world.project(projectShape.parse(await response.json()).projectId);
}

/**
 * Pushes a change of a project's page, shows it, and gives the commit.
 *
 * @param remote where to: the project's own repository if absent
 */
export async function pushAndShow(
  project: EmulatedProject,
  headline: string,
  branch: string,
  remote?: string,
): Promise<string> {
  const { sha, description } = await pushChange(project, headline, branch, remote);
  console.log(description);
  return sha;
}
