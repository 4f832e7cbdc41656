import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type HistoryWorld, repository, runHeld, startHistory } from './history-world.ts';
import { previewHostname, previewInputs, pushToPullRequest } from './preview-push.ts';

/** Deploys only if that is needed, with a check that names the commit. */
const inputs = ({ page }: HistoryWorld) => ({
  deploy: 'if-needed',
  'verify-url': page,
  'verify-contains': 'live: {sha}',
  'on-older': 'deploy',
  'verify-timeout': '10s',
});

const runIfNeeded = (world: HistoryWorld, commit: string, more: Record<string, string> = {}) =>
  world.run(commit, { ...inputs(world), ...more });

describe.concurrent('deploy: if-needed', () => {
  it('deploys a commit once, says why it does not do it again, and does where another one came', async () => {
    await using world = await startHistory();
    const { first, second } = world.commits;
    const once = await runIfNeeded(world, first);
    expect(once.outputs['outcome']).toBe('succeeded');
    expect(once.log.join('\n')).toContain('no successful deployment is recorded');
    const records = world.github.deployments(repository).length;
    const again = await runIfNeeded(world, first);
    expect(again.outputs).toMatchObject({
      outcome: 'skipped',
      'skipped-reason': 'not-needed',
      error: '',
      'deployment-id': '',
      'live-commit': first,
    });
    expect(again.conclusion).toBe('success');
    expect(again.annotations).toEqual([]);
    expect(again.summary).toContain('is live already');
    expect(again.summary).toContain('was not deployed again');
    expect(JSON.parse(again.outputs['checks'] ?? '')).toMatchObject([{ held: true }]);
    expect(world.deployed()).toEqual([first]);
    expect(world.github.deployments(repository)).toHaveLength(records);
    // What somebody else has deployed over is deployed again, and what another run is deploying over.
    await world.run(second, { 'github-deployment': 'false' });
    const over = await runIfNeeded(world, first);
    expect(over.outputs['outcome']).toBe('succeeded');
    expect(over.log.join('\n')).toContain('its checks fail');
    await using _ = await runHeld(world, second);
    const beside = await runIfNeeded(world, first);
    expect(beside.log.join('\n')).toContain(`another run is deploying ${second}`);
    expect(world.deployed()).toEqual([first, second, first, first]);
    expect(world.github.violations).toEqual([]);
  });

  it('tells where a preview is that it need not deploy', async () => {
    await using world = await startHistory({ verifyMs: 0, revalidation: 'ignored' });
    const { first } = world.commits;
    const push = () =>
      world.run(
        first,
        { ...inputs(world), ...previewInputs(world) },
        { event: pushToPullRequest(world, first) },
      );
    await push();
    const { outputs } = await push();
    const url = `https://${previewHostname}`;
    expect(outputs).toMatchObject({ 'skipped-reason': 'not-needed', 'preview-url': url });
    const [comment = ''] = world.github.comments(repository, 7).map(({ body = '' }) => body);
    expect(comment).toContain('7 is live already');
    expect(comment.split(`](${url})`)).toHaveLength(2);
  });

  it('deploys the same commit after a value alone was rotated, and tells the variables otherwise', async () => {
    await using world = await startHistory();
    await using folder = await mkdtempDisposable(join(tmpdir(), 'if-needed-'));
    const { first } = world.commits;
    const run = (value: string) =>
      world.run(
        first,
        { ...inputs(world), 'env-ledger': 'ledger.bin', env: `ROTATED=${value}` },
        { workspace: folder.path },
      );
    await run('one');
    const same = await run('one');
    expect(same.outputs['skipped-reason']).toBe('not-needed');
    expect(JSON.parse(same.outputs['env-summary'] ?? '')).toMatchObject({ unchanged: 1 });
    expect(same.summary).toContain('ROTATED');
    const rotated = await run('two');
    expect(rotated.outputs['outcome']).toBe('succeeded');
    expect(rotated.log.join('\n')).toContain('Deploying: variables were written');
    expect(world.project.running.production).toEqual({ ROTATED: 'two' });
    expect(world.deployed()).toEqual([first, first]);
  });

  it('deploys the same commit where not all is known to be live', async () => {
    await using world = await startHistory();
    const { first } = world.commits;
    await runIfNeeded(world, first);
    world.project.setVariable({ name: 'ELSEWHERE', value: 'fake' });
    const waiting = await runIfNeeded(world, first);
    expect(waiting.log.join('\n')).toContain('Deploying: changed variables wait for a deployment');
    const unnamed = await runIfNeeded(world, first, { 'verify-contains': 'live' });
    expect(unnamed.outputs['outcome']).toBe('succeeded');
    expect(unnamed.log.join('\n')).toContain('no check contains the commit');
    world.emulator.dialect.pendingFlags = 'absent';
    const unknown = await runIfNeeded(world, first);
    expect(unknown.log.join('\n')).toContain('does not report whether changed variables wait');
    expect(world.deployed()).toEqual([first, first, first, first]);
  });

  it('is an input error if nothing is recorded, or of HEAD: what was rolled back cannot be known; and with another word', async () => {
    await using world = await startHistory();
    const more = { 'github-deployment': 'false', 'commit-sha': 'HEAD', 'verify-contains': 'live' };
    const { outputs } = await runIfNeeded(world, world.commits.first, more);
    expect(outputs).toMatchObject({ outcome: 'failed', requests: '0' });
    expect(outputs['error']).toContain('needs github-deployment: true');
    expect(outputs['error']).toContain('is HEAD');
    const wrong = await world.run(world.commits.first, { deploy: 'maybe' });
    expect(wrong.outputs['outcome']).toBe('failed');
    expect(wrong.outputs['error']).toContain('deploy: "maybe" must be true, false or if-needed');
  });

  it('fails if GitHub refuses to be asked, or there is no token, and says what is missing', async () => {
    await using world = await startHistory();
    const { first } = world.commits;
    await runIfNeeded(world, first);
    world.github.trouble = ({ method }) => (method === 'GET' ? 'forbidden' : undefined);
    for (const [more, why] of [
      [{}, 'Add "deployments: read" to the job\'s permissions'],
      [{ 'github-token': '' }, 'github-token is empty'],
    ] as const) {
      const { outputs } = await runIfNeeded(world, first, { env: 'A_NAME=fake', ...more });
      expect(outputs['outcome']).toBe('failed');
      expect(outputs['error']).toContain(why);
    }
    expect(world.deployed()).toHaveLength(1);
  });

  it('deploys if the last good record is of another project at the same place', async () => {
    await using world = await startHistory();
    const { first } = world.commits;
    const other = await world.emulator.world.createProject();
    const event = pushToPullRequest(world, first);
    const run = (project: string) => {
      const leased = { ...previewInputs(world), 'preview-projects': project };
      return world.run(first, { ...inputs(world), ...leased }, { event });
    };
    await run(world.project.id);
    expect((await run(world.project.id)).outputs['skipped-reason']).toBe('not-needed');
    world.emulator.world.assignDomain(previewHostname, null);
    const { log } = await run(other.id);
    expect(log.join('\n')).toContain('no successful deployment is recorded');
  });
});
