import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../dist/run-step.ts';
import { repository } from '../git/support.ts';
import {
  checksOf,
  deployedBy,
  type ExampleWorld,
  type OpenPull,
  openPull,
  startExampleWorld,
} from './example-world.ts';

const fork = 'stranger/octo-site';
const file = 'fork-preview.yml';

/** A pull request of a fork, whose commit GitHub keeps here. */
async function openFork(world: ExampleWorld): Promise<OpenPull> {
  const pull = await openPull(world, fork);
  await world.dev.git('push', '--quiet', '--force', 'origin', 'topic:refs/pull/7/head');
  return pull;
}

const preview = ({ emulator }: ExampleWorld) => emulator.world.domains.all[0];
const superseded = { outcome: 'skipped', 'skipped-reason': 'no-open-pull-request', requests: '0' };

describe.concurrent('fork-preview.yml', () => {
  test('starts by no event that has secrets and that a fork causes itself', () => {
    const text = readFileSync(join(root, 'examples/workflows', file), 'utf8');
    expect(Object.keys(parse(text).on)).toEqual(['workflow_run']);
  });

  test('ends the preview after the close: hostname, comment, record', async () => {
    await using world = await startExampleWorld();
    const { sha, close } = await openFork(world);
    const opened = await world.playOne(file, checksOf(fork, sha));
    expect(opened.outputs).toMatchObject({ outcome: 'succeeded', error: '' });
    expect(preview(world)?.projectId).toBe(world.project.id);
    close();
    const closed = await world.playOne(file, checksOf(fork, sha));
    expect(closed.outputs).toMatchObject({ outcome: 'cleaned-up', error: '' });
    expect(preview(world)?.projectId).toBeNull();
    expect(deployedBy(world)).toEqual([sha]);
    const [record] = world.github.deployments(repository);
    expect(record?.statuses.at(-1)?.state).toBe('inactive');
    expect(world.github.comments(repository, 7)).toMatchObject([
      { body: expect.stringContaining('is removed') },
    ]);
    expect(world.github.violations).toEqual([]);
  });

  test('leaves a commit that was superseded while its checks ran to the run of the newer one', async () => {
    await using world = await startExampleWorld();
    const older = await openFork(world);
    const newer = await openFork(world);
    const late = await world.playOne(file, checksOf(fork, older.sha));
    expect(late).toMatchObject({ conclusion: 'success', outputs: { ...superseded, error: '' } });
    const { outputs } = await world.playOne(file, checksOf(fork, newer.sha));
    expect(outputs).toMatchObject({ outcome: 'succeeded', error: '' });
    newer.close();
    const later = await world.playOne(file, checksOf(fork, older.sha));
    expect(later).toMatchObject({ conclusion: 'success', outputs: { ...superseded, error: '' } });
    expect(preview(world)?.projectId).toBe(world.project.id);
    expect(deployedBy(world)).toEqual([newer.sha]);
  });

  test('skips a superseded commit whose inputs are not even there', async () => {
    await using world = await startExampleWorld();
    const { sha } = await openFork(world);
    await openFork(world);
    const changed = { 'api-key': '', 'base-url': '', 'preview-projects': '', 'git-url': '' };
    const late = await world.playOne(file, checksOf(fork, sha), { changed });
    expect(late).toMatchObject({ conclusion: 'success', outputs: { ...superseded, error: '' } });
  });

  test.each(['failure', 'skipped'] as const)('does nothing after checks with %s', async (end) => {
    await using world = await startExampleWorld();
    const { sha } = await openFork(world);
    expect(await world.play(file, checksOf(fork, sha, end))).toEqual([]);
  });

  test('a close that starts nothing, or whose fork is gone, is left to sweep.yml', async () => {
    await using world = await startExampleWorld();
    const { sha, close } = await openFork(world);
    await world.playOne(file, checksOf(fork, sha));
    close();
    const gone = checksOf(fork, sha);
    Object.assign((gone.payload as { workflow_run: object }).workflow_run, {
      head_repository: null,
    });
    const asked = world.github.journal.length;
    const { outputs } = await world.playOne(file, gone);
    expect(outputs).toMatchObject(superseded);
    expect(world.github.journal).toHaveLength(asked);
    expect(preview(world)?.projectId).toBe(world.project.id);
    const swept = await world.playOne('sweep.yml', { name: 'schedule', payload: {} });
    expect(swept.outputs).toMatchObject({ outcome: 'cleaned-up', error: '' });
    expect(preview(world)?.projectId).toBeNull();
  });

  test('finds the open pull request among older, closed ones of the same branch', async () => {
    await using world = await startExampleWorld();
    const { sha } = await openFork(world);
    const open = world.github.pullRequests.get(`${repository}#7`);
    if (open === undefined) throw new Error('no pull request');
    for (const number of [5, 9]) {
      const closed = { ...open, number, state: 'closed' as const };
      world.github.pullRequests.set(`${repository}#${number}`, closed);
    }
    const { outputs } = await world.playOne(file, checksOf(fork, sha));
    expect(outputs).toMatchObject({
      outcome: 'succeeded',
      'preview-hostname': 'pr-7.preview.example.com',
    });
  });
});
