import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { onTestFinished } from 'vitest';
import { isMap, parseDocument, visit } from 'yaml';
import { type RunningProcess, startProcess } from '../../emulator/runner/process.ts';
import type { RunEvent } from '../../emulator/runner.ts';
import type { ExampleWorld } from '../examples/example-world.ts';
import { repository } from '../git/support.ts';
import { unpackDownload } from '../support/download.ts';
import { examples } from '../support/examples.ts';

const act = process.env['ACT'] ?? '';
if (act === '') throw new Error('ACT is not set: run this by `npm run test:act`');

/** What GitHub has, and the schema of act lacks: the only difference between an example's file and what is played. */
const unknownToAct = ['concurrency.queue', 'environment.deployment'];

/** A workflow as act takes it. */
function forAct(source: string): string {
  const document = parseDocument(source);
  visit(document, {
    Pair: (_index, { key, value }) => {
      for (const name of unknownToAct) {
        const [outer, inner] = name.split('.');
        if (String(key) === outer && isMap(value)) value.delete(inner);
      }
    },
  });
  return document.toString();
}

/** How a workflow is played by act. */
export interface ActPlay {
  event: RunEvent;
  /** An example by the name that tests play it by, or the text of a workflow. */
  workflow: string;
  /** What a checkout gives: files beside those of the repository. */
  files?: Readonly<Record<string, string>>;
  /** What a checkout gives instead of the repository. */
  workspace?: string;
  /** More options for act. */
  args?: readonly string[];
  /** Variables of the repository that are not those of the world. */
  vars?: Readonly<Record<string, string>>;
  /** The one job to run, and those that it needs. */
  job?: string;
  /** Where act's own cache server keeps its entries; without one, no cache server runs. */
  cache?: string;
  env?: Readonly<Record<string, string>>;
}

/** How a run of act ended. */
export interface ActRun {
  exitCode: number | null;
  log: string;
}

/** Settings as options of act, one each. */
const options = (name: string, settings: Readonly<Record<string, string>>) =>
  Object.entries(settings).flatMap(([key, value]) => [name, `${key}=${value}`]);

/** A workspace with the repository, some files, and the workflow. */
async function prepare(world: ExampleWorld, play: ActPlay) {
  const { workflow, files = {}, workspace = await world.checkOut() } = play;
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(workspace, name)), { recursive: true });
    await writeFile(join(workspace, name), content);
  }
  const example = examples.find(({ played }) => played === workflow);
  const folder = await mkdtemp(join(world.folder, 'act-'));
  const path = join(folder, example?.name ?? 'workflow.yml');
  await writeFile(path, forAct(example?.text ?? workflow));
  return { workspace, folder, path };
}

/** A run of act that goes on. */
export type RunningAct = Pick<RunningProcess, 'kill'> & { done: Promise<ActRun> };

/**
 * Starts act on this machine, without a container, for an event. `OWNER/site-deploy-action@v1` is what a runner
 * would download; a checkout is act's own, which copies the workspace.
 */
export async function startAct(world: ExampleWorld, play: ActPlay): Promise<RunningAct> {
  const { event, vars = {}, job, cache, env = {}, args = [] } = play;
  const { github, secrets } = world;
  const { workspace, folder, path } = await prepare(world, play);
  const eventFile = join(folder, 'event.json');
  await writeFile(eventFile, JSON.stringify(event.payload));
  const download = join(folder, 'download');
  await mkdir(download);
  unpackDownload(download);
  const lines: string[] = [];
  const { ended, kill } = startProcess({
    file: act,
    args: [
      ...[event.name, '--directory', workspace, '--workflows', path, '--eventpath', eventFile],
      ...['-P', 'ubuntu-latest=-self-hosted'],
      ...['--local-repository', `OWNER/site-deploy-action@v1=${download}`],
      ...['--action-cache-path', join(folder, 'actions')],
      ...(cache === undefined
        ? ['--no-cache-server']
        : ['--cache-server-path', cache, '--cache-server-addr', '127.0.0.1']),
      ...(job === undefined ? [] : ['--job', job]),
      ...args,
      ...options('--secret', { ...secrets, GITHUB_TOKEN: github.token }),
      ...options('--var', { ...world.vars, ...vars }),
      ...options('--env', {
        GITHUB_REPOSITORY: repository,
        GITHUB_API_URL: github.url,
        GITHUB_SERVER_URL: github.url,
        ...env,
      }),
    ],
    cwd: folder,
    // act hands its own environment on to the steps.
    env: { PATH: process.env['PATH'] ?? '', HOME: folder, XDG_CONFIG_HOME: folder },
    onLine: (line) => lines.push(line),
  });
  // A test whose time is over disposes of nothing.
  onTestFinished(kill);
  return {
    kill,
    done: ended.then(({ exitCode }) => ({ exitCode, log: lines.join('\n') })),
  };
}

/** Plays a workflow by act, to its end. */
export async function runAct(world: ExampleWorld, play: ActPlay): Promise<ActRun> {
  const running = await startAct(world, play);
  return await running.done;
}

/** A step of ours, as act showed it. */
export interface ShownStep {
  /** As act names it: the workflow and the job, with what the matrix says. */
  job: string;
  outputs: Record<string, string>;
}

/** The steps that gave outputs, in the order in which they began. */
export function stepsIn(log: string): ShownStep[] {
  const all: ShownStep[] = [];
  const current = new Map<string, ShownStep>();
  for (const line of log.split('\n')) {
    const [, job = '', said = ''] = /^\[([^\]]+)\] +(.*)$/.exec(line) ?? [];
    if (said.startsWith('⭐ Run ')) current.set(job, { job: job.trim(), outputs: {} });
    const [, name, value = ''] = /::set-output:: ([\w-]+)=(.*)$/.exec(said) ?? [];
    const step = current.get(job);
    if (name === undefined || step === undefined) continue;
    if (!all.includes(step)) all.push(step);
    step.outputs[name] = value;
  }
  return all;
}

/** The word for how each step of ours ended. */
export const outcomesIn = ({ log }: ActRun) =>
  stepsIn(log).map(({ outputs }) => outputs['outcome']);
