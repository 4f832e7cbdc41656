import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { styleText } from 'node:util';
import type { EmulatedProject, Emulator } from '../../emulator/index.ts';
import type { ActionResult } from '../../emulator/runner.ts';
import { project as projectShape } from '../../src/contract/project.ts';
import { pushChange } from '../player/change.ts';
import { type Play, type Scene, startPlay } from '../player/play.ts';
import { StepLog } from './step-log.ts';

let failures = 0;
let scenes = 0;

/** How many checks failed. */
export const failed = (): number => failures;

/**
 * Begins a scene.
 *
 * @param what what it shows, in a sentence
 */
export function beginScene(title: string, what: string): void {
  scenes += 1;
  console.log(`\n${styleText('bold', `${scenes}. ${title}`)}`);
  console.log(`   ${styleText('dim', what)}`);
}

/** Prints a line of our own. */
export function note(text: string): void {
  console.log(`  ${text}`);
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

const stepLog = new StepLog(quote);

/** Runs a step to its end, and prints its log. */
export async function runStep(scene: Scene, play: Play): Promise<ActionResult> {
  stepLog.begin(Object.keys(play.inputs ?? {}));
  return await startPlay(scene, { ...play, onLine: (line) => stepLog.write(line) }).done;
}

/** The address at which a browser shows what a hostname of the local service serves: browsers and curl know *.localhost. */
export function addressOf(emulator: Emulator, hostname: string): string {
  return `http://${hostname}:${new URL(emulator.url).port}/`;
}

/** Waits until the reader presses Enter; not without a terminal, as in CI. */
export async function waitForEnter(request: string): Promise<void> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return;
  console.log(`\n${request}`);
  const lines = createInterface({ input: process.stdin });
  await Promise.race([once(lines, 'line'), once(lines, 'close')]);
  lines.close();
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
  const { sha } = await pushChange(project, headline, branch, remote);
  note(`commit ${sha.slice(0, 7)}  "${headline}"`);
  return sha;
}
