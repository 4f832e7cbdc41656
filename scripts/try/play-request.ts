import { mkdir, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ActionResult, RunOptions } from '../../emulator/runner.ts';
import { actions } from '../../src/inputs.ts';
import { readDialect } from '../player/dialect.ts';
import { type End, endOf } from '../player/ends.ts';
import { type StartingEvent, startByEvent } from '../player/events.ts';
import { here, readGiven } from '../player/given-file.ts';
import { type Play, root, startPlay } from '../player/play.ts';
import { UsageError } from '../player/usage-error.ts';
import { type LocalWorld, openWorld, type WorldOptions } from '../player/world.ts';
import { readContents } from '../player/world-file.ts';
import type { Request } from './arguments.ts';
import { type Written, writeFiles } from './files.ts';
import { commandOf, openingOf } from './parts.ts';
import { guardReal } from './real.ts';
import { prepare, readEvent } from './scenario.ts';
import { type Print, showEnd, showRows, showTitle } from './show.ts';

/** How the local service behaves if nobody says otherwise: slow enough to be watched. */
export const pace = {
  buildMs: 600,
  verifyMs: 300,
  turnMs: 600,
  stream: { logLines: ['Installing 3 packages', 'Building 2 pages'] },
};

async function readWorld(
  { dialect, world, inputs, own }: Request,
  end: End,
): Promise<WorldOptions> {
  const chosen = readDialect(dialect);
  const options = {
    ...pace,
    ...end.dialect,
    ...chosen,
    stream: { ...pace.stream, ...end.dialect?.stream, ...chosen.stream },
  };
  const hasOwnAddress = 'git-url' in inputs || own.includes('git-url');
  if (world === undefined) return { dialect: options, hasOwnAddress };
  const { source, file } = await readGiven('world', world);
  return { dialect: options, hasOwnAddress, contents: readContents(source, file) };
}

/** The folder for what is left behind. @throws UsageError if it cannot be made */
export async function makeFolder({ out }: Pick<Request, 'out'>): Promise<string> {
  if (out === '') throw new UsageError('--out needs a folder');
  const folder = out === undefined ? join(root, 'build/try') : resolve(here, out);
  await mkdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`--out: can't create the folder ${folder} (${error.code})`);
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
    played: commandOf(request, start.event, result.masks),
    annotations: result.annotations,
    comments: comments.map(({ body = '' }) => body),
    issues: github.issues.of(place).filter((issue) => issue.number !== number),
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
  { print, launch, signal }: { print: Print; launch?: RunOptions['launch']; signal?: AbortSignal },
): Promise<number> {
  const end = endOf(request.action, request.end);
  const told = await readEvent(request, end);
  guardReal(request, told);
  const opening = openingOf(request, told);
  const left = await makeFolder(request);
  await using world = await openWorld(await readWorld(request, end));
  await using folder = await mkdtempDisposable(join(tmpdir(), 'site-try-'));
  const { play, names, sha, ...first } = await prepare(request, end, world, {
    told: opening ?? told,
    isClosed: opening !== undefined,
    folder: folder.path,
    print,
  });
  const around = {
    ...(launch === undefined ? {} : { launch }),
    ...(request.real ? {} : { runtime: world.proxy.environment }),
  };
  const startStep = (runId: string, more: Partial<Play> = {}) => {
    const step = startPlay(world, {
      ...play,
      ...around,
      github: { ...play.github, runId },
      ...more,
    });
    if (signal?.aborted) step.cancel();
    else signal?.addEventListener('abort', () => step.cancel());
    return step;
  };
  if (end.isSecondRun) await startStep('1001', { onLine: () => undefined }).done;
  end.prepare?.(world, names);
  if (opening !== undefined) showTitle(print, 'First, the pull request is opened');
  const step = startStep('1002');
  let [result] = await Promise.all([step.done, end.during?.(step, world)]);
  let { start } = first;
  if (opening !== undefined) {
    if (result.conclusion !== 'success') print(`Conclusion when opened: ${result.conclusion}`);
    showTitle(print, 'Then the pull request is closed');
    start = startByEvent(told, { sha }, world.github);
    const opened = result;
    result = await startStep('1003', { event: start.event }).done;
    // What the one left undone counts, whatever the other did.
    if (opened.exitCode !== 0) result = { ...result, exitCode: opened.exitCode };
  }
  showEnd(print, result, request.exitCode);
  showRows(print, await write(left, request, result, start, world));
  return request.exitCode ? (result.exitCode ?? 1) : 0;
}
