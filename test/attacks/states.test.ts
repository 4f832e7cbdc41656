// Attack (flooding): A comment with a forged marker of a newer run
// Defense: Only a marker signed with the ledger's key can be newer
// Attack (flooding): A cache entry that is not a ledger
// Defense: Ignored, and replaced by the next save
// Attack (flooding): An older encrypted ledger is restored, or a variable changes without a new version
// Defense: The version must match, and `updatedAt` unless this action's last write moved the version
// Attack (flooding): The post step's state is damaged or changed
// Defense: It has a checksum; the post step reports it, exits 0, and does nothing on GitHub

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { startCacheServer } from '../../emulator/cache/index.ts';
import { writeMarker } from '../../src/comments/model/marker.ts';
import { startEnvSync, stored, writesOf } from '../dist/env-sync-world.ts';
import { number, repository, startPullRequest } from '../dist/pull-request-world.ts';
import { unpacked } from '../dist/run-step.ts';

const author = 'github-actions[bot]';

describe.concurrent("a marker in another workflow's comment", () => {
  it.each(['99999999999999999999', '9007199254740991', `${'9'.repeat(5000)}`])(
    'does not keep our comment silent with a run of its own making',
    async (runId) => {
      await using world = await startPullRequest();
      const marker = writeMarker({ key: world.project.id, runId: '1', runAttempt: '1' });
      const body = `${marker.replace('run=1 ', `run=${runId} `)}\n\nnothing to see here`;
      world.github.addComments(repository, number, [{ author, body }]);
      const { outputs } = await world.run('synchronize');
      expect(outputs['outcome']).toBe('succeeded');
      expect(world.comments().filter((one) => one.includes('7 is live'))).toHaveLength(1);
    },
  );

  it('does not keep it silent with the mark of another pull request or key', async () => {
    await using world = await startPullRequest();
    await world.run('synchronize', { github: { runId: '999' } });
    const [newest = ''] = world.comments();
    expect(newest).toMatch(/ run=999 attempt=1 mark=[0-9a-f]{32} /);
    await using other = await startPullRequest();
    const forged = newest.replace(
      /key=\S+/,
      `key=${encodeURIComponent(other.project.id).replaceAll('-', '%2D')}`,
    );
    other.github.addComments(repository, number, [{ author, body: forged }]);
    await other.run('synchronize', { inputs: { 'environment-name': 'x' } });
    const [ours = ''] = other.comments();
    expect(ours).not.toContain('run=999');
    expect(ours).toContain('7 is live');
  });

  it('keeps an older run silent if a newer one of ours wrote it', async () => {
    await using world = await startPullRequest();
    await world.run('synchronize', { github: { runId: '999' } });
    const before = world.comments();
    await world.run('synchronize', { github: { runId: '998' } });
    expect(world.comments()).toEqual(before);
  });
});

describe.concurrent('an entry of the Actions cache', () => {
  const variables = { A: 'fake value of a' };
  const inputs = { 'env-ledger': 'cache' };

  it('that is no ledger is replaced by the next run', async () => {
    await using cache = await startCacheServer();
    await using world = await startEnvSync();
    const options = { inputs, env: cache.environment };
    await world.run(variables, options);
    for (const entry of cache.entries) entry.content = Buffer.from('this is no ledger');
    const first = await world.run(variables, options);
    expect(first.log.join('\n')).toContain('The ledger cannot be used: it is not a ledger.');
    expect(first.outputs).toMatchObject({ outcome: 'synced', requests: '2' });
    const second = await world.run(variables, options);
    expect(second.outputs).toMatchObject({ outcome: 'synced', requests: '1' });
  });
});

describe.concurrent('an older ledger that was put back by hand', () => {
  it('is not believed where its version is an older one', async () => {
    await using world = await startEnvSync();
    await world.run({ A: 'first fake' });
    const older = await world.readLedger();
    await world.run({ A: 'second fake' });
    expect(stored(world.project)).toEqual({ A: 'second fake' });
    await writeFile(world.ledger, older);
    world.emulator.journal.clear();
    const result = await world.run({ A: 'first fake' });
    expect(result.outputs).toMatchObject({ outcome: 'synced' });
    expect(stored(world.project)).toEqual({ A: 'first fake' });
    expect(writesOf(world.emulator)).toEqual(['replaceVariable']);
  });

  it('is not believed where only the time of its variable is an older one', async () => {
    await using world = await startEnvSync();
    await world.run({ A: 'first fake' });
    world.project.setVariable({ name: 'A', value: 'second fake', version: 1 });
    world.emulator.journal.clear();
    const { log } = await world.run({ A: 'first fake' });
    expect(log.join('\n')).toContain("updated after this action's last write, still at version 1");
    expect(stored(world.project)).toEqual({ A: 'first fake' });
    expect(writesOf(world.emulator)).toEqual(['replaceVariable']);
  });

  it('is believed where no time is shown, by its version', async () => {
    await using world = await startEnvSync({ variableTimes: 'absent' });
    await world.run({ A: 'fake' });
    const { outputs } = await world.run({ A: 'fake' });
    expect(outputs).toMatchObject({ outcome: 'synced', requests: '1' });
  });
});

describe.concurrent('a corrupt state of the post step', () => {
  const damaged = ['{', 'null', '{}', '[]', '42', '{"comment":{},"deployment":7}'];

  /** Runs the post step by itself, with what a main step that was killed would have left. */
  async function runPost(state: Record<string, string>) {
    const env = {
      PATH: process.env['PATH'],
      'INPUT_API-KEY': 'fake-key',
      'INPUT_GITHUB-TOKEN': 'fake-token',
      GITHUB_API_URL: 'http://127.0.0.1:9',
      GITHUB_REPOSITORY: repository,
      ...Object.fromEntries(Object.entries(state).map(([name, text]) => [`STATE_${name}`, text])),
    };
    return await promisify(execFile)(process.execPath, [join(unpacked, 'dist/post.js')], { env });
  }

  it.each(damaged)('%j is a sentence', async (text) => {
    const { stdout, stderr } = await runPost({ journal: text });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^::warning::The step was killed, and its saved state is damaged/m);
    expect(stdout).toContain('is damaged');
    expect(stdout).not.toMatch(/\n\s+at /);
  });

  it('after an unexpected error does not say that the step was killed', async () => {
    const { stdout } = await runPost({ journal: '{', reported: 'broken' });
    expect(stdout).toMatch(
      /^::warning::The step ended with an unexpected error, and its saved state is damaged/m,
    );
  });

  it('whatever else is wrong, is a sentence too', async () => {
    const { stdout, stderr } = await runPost({ journal: '0123456789abcdef {"comment":1}' });
    expect(stderr).toBe('');
    expect(stdout).toContain('is damaged');
  });
});
