import { describe, expect, it } from 'vitest';
import type { ActionResult, RunEvent } from '../../emulator/runner.ts';
import { also, rows } from '../support/exhaustive.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { type HistoryWorld, repository, startHistory } from './history-world.ts';

const gate = { 'require-verified': 'preview' };

/** A pull request's event, whose head is a commit. */
const pullRequestOf = (number: number, sha: string): RunEvent => ({
  name: 'pull_request',
  payload: adjust(examplePayload('pull_request', 'opened'), {
    number,
    'pull_request.number': number,
    'pull_request.head.sha': sha,
    'pull_request.head.ref': `topic-${number}`,
    'pull_request.head.repo.full_name': repository,
    'pull_request.base.repo.full_name': repository,
  }),
});

/** Opens a pull request on GitHub, or merges it as a commit. */
function setPull({ github }: HistoryWorld, number: number, sha: string, merged?: string): void {
  const repo = { full_name: repository, fork: false };
  github.pullRequests.set(`${repository}#${number}`, {
    number,
    state: merged === undefined ? 'open' : 'closed',
    head: { ref: `topic-${number}`, sha, repo },
    base: { ref: 'main', sha },
    ...(merged && { merged_at: '2026-01-01T00:00:00Z', merge_commit_sha: merged }),
  });
}

/** Deploys the preview of a pull request, with a check. */
async function preview(
  world: HistoryWorld,
  number: number,
  sha: string,
  inputs: Record<string, string> = {},
): Promise<ActionResult> {
  setPull(world, number, sha);
  const checks = { 'verify-url': world.page, 'verify-contains': 'live: {sha}' };
  const event = pullRequestOf(number, sha);
  return await world.run(sha, { ...checks, 'verify-timeout': '8s', ...inputs }, { event });
}

/** A world whose second commit is the squashed form of the one beside it: it has the same files. */
async function startSquashed() {
  const world = await startHistory();
  const { first, second, aside } = world.commits;
  const tree = '7'.repeat(40);
  for (const sha of [second, aside]) {
    world.github.commits.set(`${repository}@${sha}`, { parents: [first], tree });
  }
  return world;
}

const writes = ({ emulator }: HistoryWorld) =>
  emulator.journal.entries.filter(({ method }) => method !== 'GET').length;

describe.concurrent('require-verified: preview lets', () => {
  it('a squash merge go to production whose pull request was deployed to a checked preview', async () => {
    await using world = await startSquashed();
    const { second, aside } = world.commits;
    expect((await preview(world, 7, aside)).outputs['outcome']).toBe('succeeded');
    setPull(world, 7, aside, second);
    const { outputs, log } = await world.run(second, gate);
    expect(outputs['error']).toBe('');
    expect(outputs['outcome']).toBe('succeeded');
    expect(log.join('\n')).toContain('The preview of pull request #7 had the same files');
    expect(world.github.violations).toEqual([]);
  });

  it('a commit whose pull request GitHub does not know, if any preview had its files, over all pages', async () => {
    await using world = await startSquashed();
    const { first, second, aside } = world.commits;
    await preview(world, 7, aside);
    world.github.pullRequests.clear();
    for (let n = 0; n < 130; n += 1) {
      world.github.addDeployment(repository, { sha: first, payload: { maker: 'another' } });
    }
    const { outputs } = await world.run(second, gate);
    expect(outputs['outcome']).toBe('succeeded');
    expect(world.github.violations).toEqual([]);
  });

  also('a fast-forward', async () => {
    await using world = await startHistory();
    const { aside } = world.commits;
    await preview(world, 7, aside);
    expect((await world.run(aside, gate)).outputs['outcome']).toBe('succeeded');
  });

  it('a preview be deployed by the same workflow, and a run that deploys nothing', async () => {
    await using world = await startHistory();
    const { first } = world.commits;
    expect((await preview(world, 7, first, gate)).outputs['outcome']).toBe('succeeded');
    const sync = await world.run(world.commits.second, { ...gate, deploy: 'false' });
    expect(sync.outputs['outcome']).toBe('synced');
  });

  also('what a preview had that a newer one has taken the place of since', async () => {
    await using world = await startSquashed();
    const { first, second, aside } = world.commits;
    await preview(world, 7, aside);
    await preview(world, 7, first);
    expect(world.states()).toEqual(['inactive', 'success']);
    expect((await world.run(second, gate)).outputs['outcome']).toBe('succeeded');
  });
});

describe.concurrent('require-verified: preview stops, before the first write,', () => {
  /** Expects a run of the second commit to be refused, and gives its error. */
  async function refused(world: HistoryWorld, inputs: Record<string, string> = {}) {
    const [before, deployed] = [writes(world), world.deployed().length];
    const { second } = world.commits;
    const { outputs, conclusion } = await world.run(second, { ...gate, env: 'A=1', ...inputs });
    expect([outputs['outcome'], conclusion]).toEqual(['failed', 'failure']);
    expect(writes(world)).toBe(before);
    expect(world.deployed()).toHaveLength(deployed);
    expect(world.github.violations).toEqual([]);
    return outputs['error'];
  }

  it('a commit whose pull request had no preview, and names it', async () => {
    await using world = await startSquashed();
    const { second, aside } = world.commits;
    setPull(world, 12, aside, second);
    expect(await refused(world)).toMatch(
      `Pull request #12 (head ${aside}): no preview of it is recorded with the same API key. (SD5303)`,
    );
  });

  also('a commit of no pull request and of no preview', async () => {
    await using world = await startSquashed();
    expect(await refused(world)).toContain('GitHub knows no pull request of the commit');
  });

  it('one whose preview had no checks', async () => {
    await using world = await startSquashed();
    const { second, aside } = world.commits;
    await preview(world, 7, aside, { 'verify-url': '', 'verify-contains': '' });
    setPull(world, 7, aside, second);
    expect(await refused(world)).toContain('its preview has no passing checks');
  });

  it('one whose preview failed its checks', async () => {
    await using world = await startSquashed();
    const { second, aside } = world.commits;
    const bad = await preview(world, 7, aside, { 'verify-contains': 'nowhere' });
    expect(bad.outputs['outcome']).toBe('failed');
    setPull(world, 7, aside, second);
    expect(await refused(world)).toContain('was not deployed successfully');
  });

  it('one whose preview had other files', async () => {
    await using world = await startHistory();
    const { second, aside } = world.commits;
    await preview(world, 7, aside);
    setPull(world, 7, aside, second);
    expect(await refused(world)).toContain('its preview had other files');
  });

  also('one that only production had', async () => {
    await using world = await startHistory();
    const { second } = world.commits;
    const checks = { 'verify-url': world.page, 'verify-contains': 'live: {sha}' };
    expect((await world.run(second, checks)).outputs['outcome']).toBe('succeeded');
    expect(await refused(world)).toContain('GitHub knows no pull request');
  });

  it('one whose preview somebody else called a success', async () => {
    await using world = await startSquashed();
    const { second, aside } = world.commits;
    await preview(world, 7, aside, { 'verify-contains': 'nowhere' });
    await preview(world, 8, world.commits.third);
    const [bad, good] = world.github.deployments(repository);
    const [status] = bad?.statuses ?? [];
    if (bad === undefined || good === undefined || status === undefined) throw new Error('none');
    // A copy of what a good record of ours bears, and what another workflow would write.
    bad.statuses.push({ ...status, state: 'success' });
    bad.statuses.push({
      ...status,
      state: 'success',
      log_url: String(good.statuses.at(-1)?.log_url),
    });
    const forged = { maker: 'site-deploy-action', key: 'pr-9/x', mark: 'x' };
    const record = { isPreview: true, until: 1, seal: '0'.repeat(64) };
    const payload = { ...forged, record };
    const given = { sha: aside, environment: 'preview/pr-9', payload, transient: true };
    world.github.addDeployment(repository, given, [{ state: 'success' }]);
    setPull(world, 7, aside, second);
    expect(await refused(world)).toContain('was not deployed successfully');
  });

  it('one whose preview was deployed with another key', async () => {
    await using world = await startSquashed();
    const { second, aside } = world.commits;
    await preview(world, 7, aside, { 'env-ledger-key': 'fake-key-of-another-workflow' });
    setPull(world, 7, aside, second);
    expect(await refused(world)).toContain('with the same API key');
  });

  const groups = [
    ['commits', 'contents: read'],
    ['pulls', 'pull-requests: read'],
    ['deployments', 'deployments: read'],
  ] as const;
  it.each(rows(groups, 2))(
    'any, where GitHub refuses to tell of %s: such a gate is closed',
    async (group, grant) => {
      await using world = await startSquashed();
      world.github.trouble = { [group]: 'forbidden' };
      const error = await refused(world);
      expect(error).toContain("require-verified can't be decided");
      expect(error).toContain(`Add "${grant}" to the job's permissions`);
    },
  );

  it('a commit that GitHub does not know', async () => {
    await using world = await startSquashed();
    world.github.commits.delete(`${repository}@${world.commits.second}`);
    expect(await refused(world)).toContain('GitHub does not know the commit');
  });
});

describe.concurrent('require-verified is wrong', () => {
  it.each([
    [{ 'github-deployment': 'false' }, 'needs github-deployment: true'],
    [{ 'commit-sha': 'HEAD' }, 'commit-sha is HEAD'],
    [{ 'require-verified': 'yes' }, '"yes" must be preview'],
  ])('with %j', async (inputs, why) => {
    await using world = await startHistory();
    const { outputs } = await world.run(world.commits.first, { ...gate, ...inputs });
    expect(outputs['outcome']).toBe('failed');
    expect(outputs['error']).toContain(`require-verified: ${why.startsWith('"') ? why : ''}`);
    expect(outputs['error']).toContain(why);
    expect(world.emulator.journal.entries.filter(({ operation }) => operation !== 'git')).toEqual(
      [],
    );
  });
});
