import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository } from '../git/support.ts';
import type { Play } from '../support/play-example.ts';
import { deployedBy, type ExampleWorld, startExampleWorld } from './example-world.ts';
import { servePage } from './history-world.ts';

const file = { checks: [{ path: '/', status: 200 }] };

/** A line of commits on main, a page that shows which one is live, and the examples that deploy and go back. */
async function startStory(count: number) {
  const world = await startExampleWorld();
  const { github, project, push, playOne } = world;
  const broken = new Set<string>();
  const page = await servePage(project, { broken, onBroken: async () => undefined });
  const template = await project.head();
  const commits: string[] = [];
  /** Adds a commit to main. */
  const add = async () => {
    const sha = await push();
    github.commits.set(`${repository}@${sha}`, { parents: commits.slice(-1) });
    github.refs.set(`${repository}@main`, sha);
    commits.push(sha);
    return sha;
  };
  for (let n = 0; n < count; n += 1) await add();
  const workspace = await mkdtemp(join(world.folder, 'site-'));
  await mkdir(join(workspace, '.github'));
  await writeFile(join(workspace, '.github/checks.yml'), JSON.stringify(file));
  const head = () => commits.at(-1) ?? '';
  const play = async (name: string, options: Partial<Play> = {}, event = 'workflow_dispatch') => {
    const sha = options.github?.sha ?? head();
    const payload = event === 'push' ? { ref: 'refs/heads/main', after: sha } : {};
    const own = { repository: { default_branch: 'main' }, ...payload };
    return await playOne(
      name,
      { name: event, payload: own },
      {
        workspace,
        ...options,
        vars: { SITE_URL: page.url },
        github: { sha },
        changed: { 'verify-timeout': '2s', ...options.changed },
      },
    );
  };
  return {
    world,
    commits,
    broken,
    add,
    /** Deploys a commit as a push does, and goes back if its page is broken. */
    deploy: (sha: string) =>
      play('push-roll-back.yml', { github: { sha }, changed: { 'git-force': template } }, 'push'),
    /** The hourly run, for the head of main. */
    redeploy: (changed: Record<string, string> = {}) =>
      play(
        'redeploy.yml',
        { changed: { 'git-force': 'true', 'env-from': '', ...changed } },
        'schedule',
      ),
    /** What somebody starts by hand; empty: without saying which commit. */
    goBack: (commit = '', changed: Record<string, string> = {}) =>
      play('rollback.yml', { inputs: { commit }, changed }),
    live: () => deployedBy(world).at(-1),
    [Symbol.asyncDispose]: async () => {
      page[Symbol.dispose]();
      await world[Symbol.asyncDispose]();
    },
  };
}

const refuseReading = ({ github }: ExampleWorld) => {
  github.trouble = ({ method }) => (method === 'GET' ? 'forbidden' : undefined);
};

describe.concurrent('redeploy.yml', () => {
  it('leaves what push-roll-back.yml has gone back to', async () => {
    await using story = await startStory(2);
    const { commits, broken, deploy, redeploy, live, world } = story;
    const [good = '', bad = ''] = commits;
    await deploy(good);
    broken.add(bad);
    expect((await deploy(bad)).outputs['outcome']).toBe('rolled-back');
    expect(live()).toBe(good);
    // The page is mended by itself, as where a database was down: the commit was taken off nevertheless.
    for (const mends of [false, true]) {
      if (mends) broken.clear();
      const { outputs, conclusion, log, summary } = await redeploy();
      expect(outputs).toMatchObject({ outcome: 'skipped', 'skipped-reason': 'rolled-back' });
      expect(conclusion).toBe('success');
      const told = log.join('\n');
      expect(told).toMatch(/run 2 .*\d{4}-\d\d-\d\d \d\d:\d\d UTC/);
      expect(told).toContain(good);
      for (const text of [told, summary]) {
        expect(text).toContain('new commit');
        expect(text).toContain('deploy: true');
      }
      expect(live()).toBe(good);
    }
    expect((await redeploy({ deploy: 'true' })).outputs['outcome']).toBe('succeeded');
    expect(live()).toBe(bad);
    expect((await redeploy()).outputs['skipped-reason']).toBe('not-needed');
    expect(world.github.violations).toEqual([]);
  });

  it('deploys a commit that came after the roll-back', async () => {
    await using story = await startStory(2);
    const { commits, broken, add, deploy, redeploy, live } = story;
    const [good = '', bad = ''] = commits;
    await deploy(good);
    broken.add(bad);
    await deploy(bad);
    const mended = await add();
    expect((await redeploy()).outputs['outcome']).toBe('succeeded');
    expect(live()).toBe(mended);
  });

  it('leaves what rollback.yml has gone back to, whether the other commit was good or not', async () => {
    for (const isBroken of [false, true]) {
      await using story = await startStory(2);
      const { commits, broken, deploy, redeploy, goBack, live } = story;
      const [old = '', newest = ''] = commits;
      await deploy(old);
      if (isBroken) broken.add(newest);
      // One that stays live although its checks failed.
      const changed = { deploy: 'true', ...(isBroken && { 'verify-timeout': '2s' }) };
      await redeploy(changed);
      expect(live()).toBe(newest);
      expect((await goBack(old)).outputs['outcome']).toBe('succeeded');
      const { outputs } = await redeploy();
      expect(outputs).toMatchObject({ outcome: 'skipped', 'skipped-reason': 'rolled-back' });
      expect(live()).toBe(old);
    }
  });

  it('names the variables that wait', async () => {
    await using story = await startStory(2);
    const { commits, broken, deploy, redeploy, live, world } = story;
    const [good = '', bad = ''] = commits;
    await deploy(good);
    broken.add(bad);
    await deploy(bad);
    const { outputs, annotations } = await redeploy({ env: 'ROTATED=two' });
    expect(outputs['skipped-reason']).toBe('rolled-back');
    const [warning] = annotations.filter(({ level }) => level === 'warning');
    expect(warning?.message).toContain('next deployment: ROTATED.');
    expect(world.project.running.production).toEqual({});
    // Nobody knows which those were that an earlier run has written.
    const again = await redeploy();
    expect(again.annotations.map(({ message }) => message).join()).toContain('next deployment');
    expect(live()).toBe(good);
  });

  it('fails where the records cannot be read, and names the permission', async () => {
    await using story = await startStory(1);
    const { commits, deploy, redeploy, world } = story;
    await deploy(commits[0] ?? '');
    refuseReading(world);
    const { outputs, conclusion } = await redeploy({ 'on-older': 'deploy' });
    expect(conclusion).toBe('failure');
    expect(outputs['outcome']).toBe('failed');
    expect(outputs['error']).toContain('deployments: read');
    expect(deployedBy(world)).toHaveLength(1);
  });
});
