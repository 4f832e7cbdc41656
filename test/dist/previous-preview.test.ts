// Attack (flooding): A changed hidden line in the comment names another live address or commit
// Defense: The signature covers it

import { describe, expect, it } from 'vitest';
import type { DialectOptions } from '../../emulator/index.ts';
import { readLiveLine, writeLiveLine } from '../../src/comments/model/assemble.ts';
import { sha } from '../../src/contract/commit.ts';
import { unsafeText } from '../../src/kernel/text/safe.ts';
import {
  hostname,
  number,
  type PullRequestWorld,
  repository,
  startPullRequest,
} from './pull-request-world.ts';

/** The link to what was live before, and the beginning of its commit. */
const link = (commit = '') =>
  new RegExp(
    `Still live(?: [(]by its GitHub deployment[)])?, from commit <code>${commit}[0-9a-f]*</code>: .*https://${hostname}[)]`,
  );

/** A pull request whose preview is live. */
async function startLive(dialect: DialectOptions = {}): Promise<PullRequestWorld> {
  const world = await startPullRequest(dialect);
  const { outputs } = await world.run('opened');
  expect(outputs['preview-url']).toBe(`https://${hostname}`);
  expect(world.comments()[0]).not.toContain('Still live');
  return world;
}

/** The texts that our comment was given, in order. */
const edits = ({ github }: PullRequestWorld) =>
  github.journal
    .filter(({ method, path }) => method === 'PATCH' && path.includes('comments'))
    .map(({ body }) => JSON.stringify(body));

describe.concurrent('the preview that was live before', () => {
  it('stays linked while a new one builds, and after each that fails', async () => {
    await using world = await startLive();
    const { emulator, project } = world;
    emulator.dialect.deploymentEnds = 'failure';
    for (let run = 0; run < 2; run += 1) {
      const before = edits(world).length;
      const { outputs } = await world.run('synchronize');
      expect(outputs).toMatchObject({ outcome: 'failed', 'preview-url': '' });
      const [deploying, ended] = edits(world).slice(before);
      expect(deploying).toContain('deploying …');
      expect(deploying).toMatch(link());
      expect(ended).toContain('failed to');
      expect(ended).toMatch(link((await project.head()).slice(0, 7)));
    }
    emulator.dialect.deploymentEnds = 'success';
    await world.run('synchronize');
    expect(world.comments()[0]).not.toContain('Still live');
    expect(world.github.violations).toEqual([]);
  });

  it('stays linked where nothing was deployed', async () => {
    await using world = await startLive();
    world.emulator.dialect.refuse = ['createVariable'];
    const { outputs } = await world.run('synchronize', { inputs: { env: 'NAME=a value' } });
    expect(outputs['outcome']).toBe('failed');
    expect(world.comments()[0]).toMatch(link());
  });

  const unsure: readonly (readonly [string, DialectOptions, Record<string, string>])[] = [
    ['in time', { deploymentEnds: 'never' }, { timeout: '2s' }],
    ['by anything', { offers: 'neither', notOfferedStatus: 403 }, {}],
    ['by us', {}, { wait: 'none' }],
  ];
  it.each(unsure)(
    'is not claimed once the end of the new one is not seen %s',
    async (_, dialect, inputs) => {
      await using world = await startLive();
      Object.assign(world.emulator.dialect, dialect);
      await world.run('synchronize', { inputs });
      expect(edits(world).at(-2)).toMatch(link());
      expect(world.comments()[0]).not.toContain('Still live');
      expect(readLiveLine(world.comments()[0] ?? '')).toBeUndefined();
    },
  );

  it('is not claimed by the post step of a run that was killed', async () => {
    await using world = await startLive({ buildMs: 150 });
    world.emulator.dialect.deploymentEnds = 'never';
    await using step = await world.start('synchronize');
    await step.waitForLine((line) => line.includes('publishing'));
    step.kill();
    await step.done;
    expect(world.comments()[0]).toContain('the run did not finish the deployment');
    expect(world.comments()[0]).not.toContain('Still live');
  });

  it('is not claimed once the pull request was closed', async () => {
    await using world = await startLive();
    world.close();
    await world.run('closed');
    expect(world.comments()[0]).not.toContain(`https://${hostname}`);
    world.reopen();
    world.emulator.dialect.deploymentEnds = 'failure';
    await world.run('reopened');
    expect(world.comments()[0]).not.toContain('Still live');
  });

  it.each([
    [
      'changed',
      (body: string) => body.replaceAll(`https://${hostname}`, 'https://evil.example.com'),
    ],
    ['moved to older words', (body: string) => body.replace(/ attempt=\d+/, ' attempt=2')],
  ])('is not claimed by a hidden line that somebody has %s', async (_, forge) => {
    await using world = await startLive();
    const [ours] = world.github.comments(repository, number);
    if (ours === undefined) throw new Error('there is no comment');
    ours.body = forge(ours.body ?? '');
    world.emulator.dialect.deploymentEnds = 'failure';
    await world.run('synchronize');
    expect(world.comments()[0]).not.toContain('Still live');
    expect(world.comments()[0]).not.toContain('evil');
  });

  it('is read from our own hidden lines alone', async () => {
    const live = { url: unsafeText('https://a.example.com'), commit: sha('a'.repeat(40)) };
    const line = writeLiveLine(live);
    expect(readLiveLine(`<!-- one -->\r\n${line}\r\n\r\ntext`)).toEqual(live);
    expect(readLiveLine(`<!-- one -->\n\n${line}`)).toBeUndefined();
    expect(readLiveLine(line.replace('https', 'javascript'))).toBeUndefined();
    expect(readLiveLine(line.replace('a.example', 'a.example/x)['))).toBeUndefined();
  });

  it('is not taken from a comment that somebody else signed', async () => {
    await using world = await startLive();
    for (const comment of world.github.comments('octo-org/octo-site', 7)) {
      comment.body = comment.body?.replace(/ mark=[0-9a-f]+/, ` mark=${'0'.repeat(32)}`);
    }
    world.emulator.dialect.deploymentEnds = 'failure';
    await world.run('synchronize');
    expect(world.comments()[0]).toContain('failed to deploy');
    expect(world.comments()[0]).not.toContain('Still live');
  });
});
