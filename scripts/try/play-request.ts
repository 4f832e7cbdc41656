import { mkdir, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { SecretMasker } from '../../src/emulator/runner/masks.ts';
import type { ActionResult, RunOptions } from '../../src/emulator/runner.ts';
import { type ActionName, actions } from '../../src/inputs.ts';
import { pushChange } from '../player/change.ts';
import { readDialect } from '../player/dialect.ts';
import { type End, endOf } from '../player/ends.ts';
import {
  eventNamed,
  eventWithPayload,
  type StartingEvent,
  startByEvent,
  type ToldEvent,
} from '../player/events.ts';
import { here, readGiven } from '../player/given-file.ts';
import { type Play, repository, root, startPlay } from '../player/play.ts';
import { UsageError } from '../player/usage-error.ts';
import { type LocalWorld, openWorld, type WorldOptions } from '../player/world.ts';
import { readContents } from '../player/world-file.ts';
import type { Request } from './arguments.ts';
import { type Written, writeFiles } from './files.ts';
import { fillIn, registeredIn, sourcesOf, stepEnvironment } from './inputs.ts';
import { logWriter, type Print, showEnd, showRows } from './show.ts';
import { prepareWorkspace } from './workspace.ts';

/** How the local service behaves if nobody says otherwise: slow enough to be watched. */
const pace = {
  buildMs: 600,
  verifyMs: 300,
  turnMs: 600,
  stream: { logLines: ['Installing 3 packages', 'Building 2 pages'] },
};

/** The event that is usual for an action. */
const usualEvents: Readonly<Record<ActionName, string>> = {
  deploy: 'push',
  'env-sync': 'schedule',
  domains: 'push',
  message: 'issue_comment',
  projects: 'workflow_dispatch',
};

async function readWorld({ dialect, world }: Request, end: End): Promise<WorldOptions> {
  const chosen = readDialect(dialect);
  const options = {
    ...pace,
    ...end.dialect,
    ...chosen,
    stream: { ...pace.stream, ...end.dialect?.stream, ...chosen.stream },
  };
  if (world === undefined) return { dialect: options };
  const { source, file } = await readGiven('world', world);
  return { dialect: options, contents: readContents(source, file) };
}

/**
 * The commit that the run is about. It is made for the action that deploys: on GitHub alone if the step brings it,
 * else in the project too.
 */
async function makeCommit(
  action: ActionName,
  { project, github }: LocalWorld,
  inputs: Readonly<Record<string, string>>,
): Promise<string> {
  if (action !== 'deploy') return `${'0'.repeat(39)}1`;
  const onGitHub = 'git-url' in inputs ? await github.gitFolder(repository) : undefined;
  const branch = onGitHub === undefined ? 'topic' : 'main';
  return (await pushChange(project, 'A change of mine', branch, onGitHub)).sha;
}

async function readEvent({ event, payload, action }: Request, end: End): Promise<ToldEvent> {
  if (payload === undefined) return eventNamed(event ?? end.event ?? usualEvents[action]);
  if (event === undefined) throw new UsageError('--payload needs --event: which event is it of?');
  return eventWithPayload(event, await readGiven('payload', payload));
}

/** What a person should know before the log begins. */
function showNotes(print: Print, notes: readonly string[], fake: readonly string[]): void {
  for (const note of notes) print(note);
  if (fake.length === 0) return;
  print(`Not in your environment, so a fake value is used: ${fake.join(', ')}`);
}

/** A step to play, with what is around it. */
interface Scenario {
  play: Play;
  start: StartingEvent;
  /** The variables that the step declares. */
  names: readonly string[];
}

/** Everything that a step needs, from what a person asked for and what the local world has. */
async function prepare(
  request: Request,
  end: End,
  world: LocalWorld,
  { told, folder, print }: { told: ToldEvent; folder: string; print: Print },
): Promise<Scenario> {
  const inputs = fillIn(request, end.inputs ?? {}, world);
  const sha = await makeCommit(request.action, world, inputs);
  const start = startByEvent(told, { sha }, world.github);
  const place = resolve(here, request.workspace ?? '.');
  const workspace = await prepareWorkspace(request, inputs, place, folder);
  const known = world.emulator.world.registered;
  for (const name of registeredIn(workspace.siteFile)) {
    if (known.find(name) === undefined) world.emulator.world.registerDomain(name);
  }
  const sources = sourcesOf(inputs, workspace.siteFile);
  const { env, fake } = stepEnvironment(sources, process.env);
  showNotes(print, workspace.notes, fake);
  const brought = 'git-url' in inputs ? { serverUrl: world.github.url } : {};
  const play: Play = {
    action: request.action,
    inputs,
    env,
    event: start.event,
    github: { ...start.github, ...brought, runId: '1001' },
    workspace: workspace.folder,
    debug: request.debug,
    onLine: logWriter(print, request.unfold),
  };
  return { play, start, names: sources.map(({ name }) => name) };
}

/** The command that plays the same again, but for secrets: the page that it stands on may be passed on. */
function commandOf(
  { action, inputs, own, end }: Request,
  { event }: StartingEvent,
  masks: readonly string[],
): string {
  const masker = new SecretMasker();
  for (const mask of masks) masker.add(mask);
  const given = Object.entries(inputs).map(([name, value]) => `${name}=${value}`);
  const words = [action, ...given, ...own, `--event ${event.name}`, `--end ${end}`];
  return masker.mask(words.join(' '));
}

/** The folder for what is left behind. @throws UsageError if it cannot be made */
async function makeFolder({ out }: Request): Promise<string> {
  if (out === '') throw new UsageError('--out needs a folder');
  const folder = out === undefined ? join(root, 'build/try') : resolve(here, out);
  await mkdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--out: ${folder} cannot be a folder (${error.code})`);
  });
  return folder;
}

async function write(
  folder: string,
  request: Request,
  result: ActionResult,
  start: StartingEvent,
  { github }: LocalWorld,
): Promise<Written> {
  const { repository: place, number } = start;
  const comments = number === null ? [] : github.comments(place, number);
  return await writeFiles(folder, {
    title: `${actions[request.action].name}: ${result.conclusion}`,
    played: commandOf(request, start, result.masks),
    annotations: result.annotations,
    comments: comments.map(({ body = '' }) => body),
    summary: result.summary,
    log: [...result.log, ...(result.post?.log ?? [])],
  });
}

/**
 * Plays a step, shows it, and writes what it left behind.
 *
 * @param around.print takes each line for the person
 * @param around.launch how the step's scripts are started, if not in processes of their own
 * @returns the exit status: the step's if that was asked for, else 0
 * @throws UsageError for what cannot be played, before anything is
 */
export async function playRequest(
  request: Request,
  { print, launch }: { print: Print; launch?: RunOptions['launch'] },
): Promise<number> {
  const end = endOf(request.action, request.end);
  const told = await readEvent(request, end);
  const left = await makeFolder(request);
  await using world = await openWorld(await readWorld(request, end));
  await using folder = await mkdtempDisposable(join(tmpdir(), 'site-try-'));
  const { play, start, names } = await prepare(request, end, world, {
    told,
    folder: folder.path,
    print,
  });
  const launching = launch === undefined ? {} : { launch };
  if (end.isSecondRun)
    await startPlay(world, { ...play, ...launching, onLine: () => undefined }).done;
  end.prepare?.(world, names);
  const github = { ...play.github, runId: '1002' };
  const step = startPlay(world, { ...play, ...launching, github });
  const [result] = await Promise.all([step.done, end.during?.(step, world)]);
  showEnd(print, result, request.exitCode);
  showRows(print, await write(left, request, result, start, world));
  return request.exitCode ? (result.exitCode ?? 1) : 0;
}
