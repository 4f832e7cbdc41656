import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { project as projectShape } from '../../src/contract/project.ts';
import { git } from '../../src/emulator/git/git.ts';
import type { EmulatedProject, Emulator } from '../../src/emulator/index.ts';

/** The folder that holds action.yml. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

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

/** Clones a project, changes the headline of its page, commits and pushes to a branch; gives the commit. */
export async function pushChange(
  project: EmulatedProject,
  headline: string,
  branch: string,
): Promise<string> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'site-deploy-demo-'));
  const inClone = (...args: string[]) => git(['-C', folder.path, ...args]);
  await git(['clone', '--quiet', project.gitUrl, folder.path]);
  const page = join(folder.path, 'index.html');
  const before = await readFile(page, 'utf8');
  await writeFile(page, before.replace(/<h1>.*<\/h1>/, `<h1>${headline}</h1>`));
  const author = ['-c', 'user.name=Demo', '-c', 'user.email=demo@localhost'];
  await inClone(...author, 'commit', '--quiet', '--all', '--message', headline);
  await inClone('push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`);
  console.log(await inClone('show', '--format=  commit %H%n  %s', '--stat', 'HEAD'));
  return await inClone('rev-parse', 'HEAD');
}
