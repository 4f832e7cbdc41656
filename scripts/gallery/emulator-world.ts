import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pushChange } from '../player/change.ts';
import { eventNamed, startByEvent } from '../player/events.ts';
import { readGiven } from '../player/given-file.ts';
import { type Play, root, startPlay } from '../player/play.ts';
import { type LocalWorld, openWorld } from '../player/world.ts';
import { readContents } from '../player/world-file.ts';

/** Fast until the picture is taken. */
const pace = { buildMs: 300, verifyMs: 100, turnMs: 300 } as const;

const logLines = ['Installing 3 packages', 'Building 2 pages'];

const env = { STRIPE_KEY: 'fake-stripe-key', SENTRY_DSN: 'fake-dsn' };

/** The world of the example's file. */
export async function openExampleWorld(): Promise<LocalWorld> {
  const { source, file } = await readGiven('world', join(root, 'examples/world.yml'));
  const dialect = { ...pace, stream: { logLines } };
  return await openWorld({ dialect, contents: readContents(source, file) });
}

/** Lets the actions do most of what they do, and one build go on. */
export async function playBusyDay(world: LocalWorld): Promise<void> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'emulator-world-'));
  const { project, emulator } = world;
  const play = async (given: Pick<Play, 'action' | 'inputs'>, event: string, sha: string) => {
    const start = startByEvent(eventNamed(event), { sha }, world.github);
    const around = { env, workspace: folder.path, event: start.event, github: start.github };
    await startPlay(world, { ...given, ...around }).done;
  };
  const deploy = { action: 'deploy', inputs: { 'env-from': Object.keys(env).join('\n') } } as const;
  const main = await pushChange(project, 'Winter sale', 'main');
  await play(deploy, 'push', main.sha);
  emulator.dialect.domainEnds = 'never';
  const [, shared = project] = emulator.world.projects;
  const topic = await pushChange(shared, 'A shorter headline', 'topic');
  const preview = {
    'preview-projects': shared.id,
    'preview-domain': 'pr-{number}.preview.example.com',
    'verify-timeout': '2s',
  };
  const opened = { ...deploy, inputs: { ...deploy.inputs, ...preview } };
  await play(opened, 'pull_request', topic.sha);
  const { ended } = project.sendMessage({ content: 'Make the headline blue.' });
  await ended;
  emulator.dialect.deploymentEnds = 'never';
  emulator.world.project(project.id).deploy(await project.head(), null);
}
