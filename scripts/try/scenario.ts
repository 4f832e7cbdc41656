import { resolve } from 'node:path';
import process from 'node:process';
import { sourcesOf } from '../../emulator/workflow/sources.ts';
import type { ActionDefinition } from '../../src/inputs/input.ts';
import { type ActionName, actions } from '../../src/inputs.ts';
import { pushChange } from '../player/change.ts';
import type { End } from '../player/ends.ts';
import {
  eventNamed,
  eventWithPayload,
  type StartingEvent,
  startByEvent,
  type ToldEvent,
} from '../player/events.ts';
import { fromFork, withholdsSecrets } from '../player/fork.ts';
import { here, readGiven } from '../player/given-file.ts';
import { type Play, repository } from '../player/play.ts';
import { UsageError } from '../player/usage-error.ts';
import { commitOf, copyCommit, describeCommit } from '../player/workspace-commit.ts';
import type { LocalWorld } from '../player/world.ts';
import type { Request } from './arguments.ts';
import { fillIn, registeredIn, stepEnvironment } from './inputs.ts';
import { isExplained } from './parts.ts';
import { logWriter, type Print } from './show.ts';
import { usualEvents } from './usual.ts';
import { prepareWorkspace } from './workspace.ts';

/**
 * The commit that the run is about: the workspace's own, if one was named. Else it is made for the action that deploys: on GitHub alone if the step pushes it,
 * else in the project too.
 */
async function makeCommit(
  { action, real, workspace }: Request,
  { project, github }: LocalWorld,
  inputs: Readonly<Record<string, string>>,
  print: Print,
): Promise<string> {
  if (action !== 'deploy' || real) return `${'0'.repeat(39)}1`;
  const onGitHub = 'git-url' in inputs ? await github.gitFolder(repository) : undefined;
  const branch = onGitHub === undefined ? 'topic' : 'main';
  const folder = workspace === undefined ? undefined : resolve(here, workspace);
  const commit = folder === undefined ? undefined : await commitOf(folder);
  if (folder !== undefined && commit !== undefined) {
    print(describeCommit(folder, commit));
    if (onGitHub === undefined) await copyCommit(folder, await project.gitFolder(), branch);
    else await github.serveRepository(repository, folder, branch);
    return commit;
  }
  if (folder !== undefined) print(`${workspace} has no commit to deploy: using a sample site`);
  return (await pushChange(project, 'A change of mine', branch, onGitHub)).sha;
}

/** The event that a person asked for, or that is usual. @throws UsageError if there is no such */
export async function readEvent(
  request: Pick<Request, 'event' | 'payload' | 'action' | 'fork'>,
  end: End,
): Promise<ToldEvent> {
  const told = await readTold(request, end);
  return request.fork ? fromFork(told) : told;
}

async function readTold(
  { event, payload, action }: Pick<Request, 'event' | 'payload' | 'action'>,
  end: End,
): Promise<ToldEvent> {
  if (payload === undefined) return eventNamed(event ?? end.event ?? usualEvents[action]);
  if (event === undefined) throw new UsageError('--payload needs --event');
  return eventWithPayload(event, await readGiven('payload', payload));
}

/** The same inputs and environment, in a run to which GitHub gives no secrets. */
function withoutSecrets(
  action: ActionName,
  { inputs, env }: { inputs: Record<string, string>; env: Record<string, string> },
) {
  const { inputs: known }: ActionDefinition = actions[action];
  const secret = Object.keys(inputs).filter((name) => known[name]?.secret);
  const empty = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '']));
  return {
    inputs: { ...inputs, ...empty(['api-key', ...secret]) },
    env: empty(Object.keys(env)),
  };
}

const withheld = "Runs of forks get no secrets: api-key and the step's environment are empty.";

/** What a person should know before the log begins. */
function showNotes(print: Print, notes: readonly string[], fake: readonly string[]): void {
  for (const note of notes) print(note);
  if (fake.length === 0) return;
  print(`Not set in your environment, using fake values: ${fake.join(', ')}`);
}

/** A step to play, with what is around it. */
export interface Scenario {
  play: Play;
  start: StartingEvent;
  /** The commit that it is about. */
  sha: string;
  /** The variables that the step declares. */
  names: readonly string[];
}

/** What a step is prepared with. */
interface Around {
  /** The event of the first part. */
  told: ToldEvent;
  /** True if the pull request is closed in a second part. */
  isClosed: boolean;
  /** Where a sample may be put. */
  folder: string;
  print: Print;
}

/** Without a hostname there is no preview to end. */
const ofPreview = { 'preview-domain': 'pr-{number}.preview.example.com' } as const;

/** Everything that a step needs, from what a person asked for and what the local world has. */
export async function prepare(
  request: Request,
  end: End,
  world: LocalWorld,
  { told, isClosed, folder, print }: Around,
): Promise<Scenario> {
  const inputs = fillIn(request, { ...(isClosed ? ofPreview : {}), ...end.inputs }, world);
  const sha = await makeCommit(request, world, inputs, print);
  // What is explained is the event itself, with its own commit; what is played needs one that is there.
  const isOwnCommit = request.payload !== undefined && (isExplained(request) || request.real);
  const start = startByEvent(told, { sha, isOwnCommit }, world.github);
  const place = resolve(here, request.workspace ?? '.');
  const workspace = await prepareWorkspace(request, inputs, place, folder);
  const known = world.emulator.world.registered;
  for (const name of registeredIn(workspace.siteFile)) {
    if (known.find(name) === undefined) world.emulator.world.registerDomain(name);
  }
  const sources = sourcesOf(inputs, workspace.siteFile);
  const { env, fake, left } = stepEnvironment(sources, process.env, request.real);
  const isWithheld = request.fork && withholdsSecrets(told);
  if (isWithheld) print(withheld);
  if (left.length > 0)
    print(`Not passed to the step, because programs read them: ${left.join(', ')}`);
  showNotes(print, workspace.notes, isWithheld ? [] : fake);
  const given = isWithheld ? withoutSecrets(request.action, { inputs, env }) : { inputs, env };
  const brought = 'git-url' in inputs ? { serverUrl: world.github.url } : {};
  const play: Play = {
    action: request.action,
    ...given,
    isBare: request.real,
    event: start.event,
    github: { ...start.github, ...brought, runId: '1001' },
    workspace: workspace.folder,
    debug: request.debug,
    onLine: logWriter(print, request.unfold),
  };
  return { play, start, sha, names: sources.map(({ name }) => name) };
}
