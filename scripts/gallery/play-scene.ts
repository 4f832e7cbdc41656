import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ActionResult, RunningAction, RunOptions } from '../../emulator/runner.ts';
import type { ActionDefinition } from '../../src/inputs/input.ts';
import { actions } from '../../src/inputs.ts';
import type { Shown } from '../page/page.ts';
import { pushChange } from '../player/change.ts';
import { type End, endOf } from '../player/ends.ts';
import { eventNamed, type StartingEvent, startByEvent } from '../player/events.ts';
import { fromFork, withholdsSecrets } from '../player/fork.ts';
import { type Play, repository, startPlay } from '../player/play.ts';
import { type LocalWorld, openWorld } from '../player/world.ts';
import type { GalleryScene, InWorld, Run } from './scene.ts';
import { makeSteady } from './steady.ts';

/** Fast, and slow enough that each state is seen. */
const pace = { buildMs: 400, verifyMs: 200, turnMs: 300 } as const;

/** Called when a run of a scene has ended. */
type OnEnd = (world: LocalWorld, result: ActionResult) => void;

/** How the steps' scripts are started, if not in processes of their own. */
type Launch = RunOptions['launch'];

const inWorld = <Value>(given: InWorld<Value>, world: LocalWorld): Value =>
  typeof given === 'function' ? (given as (world: LocalWorld) => Value)(world) : given;

const endNamed = ({ action, end = 'success' }: Run): End => endOf(action, end);

/** The commit that a run is about; on GitHub alone if the run is to push it. */
async function makeCommit(
  world: LocalWorld,
  { action }: Run,
  inputs: Readonly<Record<string, string>>,
  number: number,
): Promise<string> {
  if (action !== 'deploy') return `${'0'.repeat(39)}1`;
  const { project, github } = world;
  if (!('git-url' in inputs)) {
    const message = `Change ${number}`;
    const { sha } = await pushChange(project, message, `topic-${number}`);
    const parents = github
      .deployments(repository)
      .slice(-1)
      .map((last) => last.sha);
    github.commits.set(`${repository}@${sha}`, { parents, message });
    return sha;
  }
  const onGitHub = await github.gitFolder(repository);
  return (await pushChange(project, `Change ${number}`, 'main', onGitHub)).sha;
}

/** Without the secrets, which GitHub does not give to this run. */
function withhold({ action, inputs = {}, env = {}, ...play }: Play): Play {
  const { inputs: known }: ActionDefinition = actions[action];
  const empty = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '']));
  const secret = Object.keys(inputs).filter((name) => known[name]?.secret);
  return {
    ...play,
    action,
    inputs: { ...inputs, ...empty(['api-key', ...secret]) },
    env: empty(Object.keys(env)),
  };
}

interface Started {
  step: RunningAction;
  start: StartingEvent;
}

/** Starts one run. */
async function startRun(
  world: LocalWorld,
  run: Run,
  { workspace, number, launch }: { workspace: string; number: number; launch: Launch },
): Promise<Started> {
  const end = endNamed(run);
  const inputs = { ...end.inputs, ...inWorld(run.inputs ?? {}, world) };
  for (const [path, content] of Object.entries(run.files ?? {})) {
    await mkdir(dirname(join(workspace, path)), { recursive: true });
    await writeFile(join(workspace, path), content);
  }
  const sha = await makeCommit(world, run, inputs, number);
  const named = eventNamed(run.event ?? end.event ?? 'push');
  const told = run.isFork ? fromFork(named) : named;
  const start = startByEvent(told, { sha }, world.github);
  await run.prepare?.(world);
  end.prepare?.(world, Object.keys(run.env ?? {}));
  const play: Play = {
    action: run.action,
    inputs,
    ...(run.env && { env: run.env }),
    event: start.event,
    github: { ...start.github, serverUrl: serverOf(world, inputs), runId: String(1000 + number) },
    workspace,
    ...(launch && { launch }),
  };
  const isWithheld = run.isFork === true && withholdsSecrets(told);
  return { step: startPlay(world, isWithheld ? withhold(play) : play), start };
}

/** Where GitHub is, as far as its git is asked; else the address is that of everybody. */
const serverOf = ({ github }: LocalWorld, inputs: object): string =>
  'git-url' in inputs ? github.url : 'https://github.com';

/** What can be read of a run, at its end or at a moment of it. */
function show(
  scene: GalleryScene,
  world: LocalWorld,
  { number, repository: place }: StartingEvent,
  ended: Pick<ActionResult, 'annotations' | 'summary' | 'log' | 'outputs' | 'post'>,
): Shown {
  const comments = number === null ? [] : world.github.comments(place, number);
  const issues = world.github.issues.of(place).filter((issue) => issue.number !== number);
  const shown: Shown = {
    title: scene.shows,
    played: `${scene.name} · outcome: ${ended.outputs['outcome'] || 'none yet'}`,
    annotations: [...ended.annotations, ...(ended.post?.annotations ?? [])],
    comments: comments.map(({ body = '' }) => body),
    issues,
    summary: ended.summary,
    log: [...ended.log, ...(ended.post?.log ?? [])],
  };
  const { log, comments: bodies, summary, annotations } = shown;
  const written = issues.map(({ title, body }) => `${title}\n${body}`);
  const steady = makeSteady(scene.name, [...log, ...bodies, ...written, summary]);
  return {
    ...shown,
    annotations: annotations.map((one) => ({
      ...one,
      message: steady(one.message),
      ...(one.title !== undefined && { title: steady(one.title) }),
    })),
    comments: bodies.map(steady),
    issues: issues.map(({ title, body, ...issue }) => ({
      ...issue,
      title: steady(title),
      body: steady(body ?? ''),
    })),
    summary: steady(summary),
    log: log.map(steady),
  };
}

/** Plays a run to where it is shown. */
async function playRun(
  scene: GalleryScene,
  world: LocalWorld,
  run: Run,
  { step, start, onEnd }: Started & { onEnd?: OnEnd },
): Promise<Shown> {
  if (run.shownAt !== undefined) {
    await run.shownAt(step, world);
    const sofar = { annotations: [], summary: '', log: [...step.lines], outputs: {} };
    const shown = show(scene, world, start, sofar);
    await step[Symbol.asyncDispose]();
    return shown;
  }
  const during = run.during ?? endNamed(run).during;
  const [result] = await Promise.all([step.done, during?.(step, world)]);
  onEnd?.(world, result);
  const outcome = result.outputs['outcome'] ?? '';
  const isLast = run === scene.runs.at(-1);
  if (isLast && outcome !== scene.outcome) {
    const log = result.log.slice(-5).join('\n');
    throw new Error(
      `${scene.name} ended with outcome "${outcome}", expected "${scene.outcome}":\n${log}`,
    );
  }
  return show(scene, world, start, result);
}

/**
 * Plays a scene in a world of its own, through `dist/`.
 *
 * @param onEnd is called with the end of each of its runs
 * @returns what can be read of its last run, with the same ids each time
 * @throws if it does not end as it should
 */
export async function playScene(
  scene: GalleryScene,
  launch?: Launch,
  onEnd?: OnEnd,
): Promise<Shown> {
  const dialects = scene.runs.map((run) => endNamed(run).dialect ?? {});
  const stream = Object.assign(
    {},
    ...dialects.map((one) => one.stream),
    scene.world?.dialect?.stream,
  );
  const dialect = Object.assign({}, pace, ...dialects, scene.world?.dialect, { stream });
  await using world = await openWorld({ ...scene.world, dialect });
  await using folder = await mkdtempDisposable(join(tmpdir(), 'site-gallery-'));
  let shown: Shown | undefined;
  let about: number | null = null;
  for (const [index, run] of scene.runs.entries()) {
    const around = { workspace: folder.path, number: index + 1, launch };
    const { step, start } = await startRun(world, run, around);
    // A schedule is about no pull request: it shows that of the run before.
    about = start.number ?? about;
    const started = { step, start: { ...start, number: about } };
    shown = await playRun(scene, world, run, { ...started, ...(onEnd && { onEnd }) });
  }
  if (shown === undefined) throw new Error(`scene ${scene.name} has no run`);
  return shown;
}
