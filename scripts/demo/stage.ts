import { styleText } from 'node:util';
import type { EmulatedProject, Emulator } from '../../emulator/index.ts';
import { project as projectShape } from '../../src/contract/project.ts';
import { pushChange } from '../player/change.ts';

let failures = 0;

/** How many checks failed. */
export const failed = (): number => failures;

/** Prints the title of a scene. */
export function title(text: string): void {
  console.log(`\n${styleText('bold', text)}`);
}

/** Prints whether a statement is true. */
export function check(passes: boolean, statement: string): void {
  console.log(`  ${passes ? styleText('green', '✓') : styleText('red', '✗')} ${statement}`);
  if (!passes) failures += 1;
}

/** Prints a line of a step's output. */
export function quote(line: string): void {
  console.log(`  ${styleText('dim', '│')} ${line}`);
}

/** Creates a project through the service's API. */
export async function createProject(emulator: Emulator): Promise<EmulatedProject> {
  const response = await fetch(`${emulator.url}/v1/projects`, {
    method: 'POST',
    headers: { 'x-api-key': emulator.key, 'content-type': 'application/json' },
    body: '{}',
  });
  return emulator.world.project(projectShape.parse(await response.json()).projectId);
}

/**
 * Pushes a change of a project's page, prints it, and returns the commit.
 *
 * @param remote the target; by default the project's own repository
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
