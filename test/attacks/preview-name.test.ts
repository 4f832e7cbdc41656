import { describe, expect, it } from 'vitest';
import { repository, startPullRequest } from '../dist/pull-request-world.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { expectRefused, inputs, placeOf, production, run, startServing } from './preview-world.ts';

const both = [{ comment: 'true' }, { comment: 'false' }] as const;

describe.concurrent('a branch that is called like a site', () => {
  it.each(both)('is not deployed there, however often it is tried (%j)', async (given) => {
    await using world = await startServing();
    for (const action of ['opened', 'synchronize', 'synchronize']) {
      expectRefused(await run(world, 'www', action, given), world);
    }
    expect(world.project.deployments).toEqual([]);
  });

  it('is not given variables either', async () => {
    await using world = await startServing();
    const given = { deploy: 'false', env: 'A=of the branch' };
    expectRefused(await run(world, 'www', 'opened', given), world);
    expect(world.project.variables).toEqual([]);
  });

  it.each(['true', 'false'])(
    'does not end that site when it is closed (disconnect-on-close: %s)',
    async (disconnect) => {
      await using world = await startServing();
      await run(world, 'www', 'opened');
      const result = await run(world, 'www', 'closed', { 'disconnect-on-close': disconnect });
      expect(result.outputs['outcome']).toBe('failed');
      expect(result.outputs['error']).toContain('no record shows that it is the preview');
      expect(placeOf(world, production)).toBe(world.project.id);
    },
  );

  it('does not disconnect a domain that serves nothing yet', async () => {
    await using world = await startPullRequest();
    world.emulator.world.connectDomain(production);
    await run(world, 'www', 'closed', { 'disconnect-on-close': 'true' });
    expect(placeOf(world, production)).toBeNull();
  });

  it('does not take it for a leased project', async () => {
    await using world = await startServing();
    const other = await world.emulator.world.createProject();
    const given = { 'project-id': '', 'preview-projects': other.id };
    expectRefused(await run(world, 'www', 'opened', given), world);
    expect(other.deployments).toEqual([]);
  });

  it('does not lease the project that it serves', async () => {
    await using world = await startServing();
    const given = { 'project-id': '', 'preview-projects': world.project.id };
    expectRefused(await run(world, 'www', 'opened', given), world);
    await run(world, 'www', 'closed', given);
    expect(placeOf(world, production)).toBe(world.project.id);
    expect(world.project.deployments).toEqual([]);
  });

  it('does not take it from another project, and writes nothing before it says so', async () => {
    await using world = await startPullRequest();
    const other = await world.emulator.world.createProject();
    world.emulator.world.connectDomain(production, other.id);
    const result = await run(world, 'www', 'opened', { env: 'A=of the branch' });
    expect(result.outputs['error']).toContain(production);
    expect(placeOf(world, production)).toBe(other.id);
    expect(world.project.variables).toEqual([]);
  });

  it('is deployed for who says so, and does not end the site when it is closed', async () => {
    await using world = await startServing();
    const given = { 'allow-production': 'true', 'disconnect-on-close': 'true' };
    for (const action of ['opened', 'synchronize']) {
      expect((await run(world, 'www', action, given)).outputs['outcome']).toBe('succeeded');
    }
    await run(world, 'www', 'closed', given);
    expect(placeOf(world, production)).toBe(world.project.id);
    const again = await run(world, 'www', 'reopened');
    expectRefused(again, world);
  });

  it('that was renamed to it after it had a preview is refused', async () => {
    await using world = await startPullRequest();
    await run(world, 'topic', 'opened');
    world.emulator.world.connectDomain(production, world.project.id);
    expectRefused(await run(world, 'www', 'synchronize'), world);
  });
});

it("of a fork names no hostname: without a number in it, it could be another's", async () => {
  await using world = await startPullRequest();
  const payload = adjust(examplePayload('pull_request', 'opened'), {
    'pull_request.head.ref': 'topic',
    'pull_request.head.repo.full_name': 'stranger/octo-site',
    'pull_request.base.repo.full_name': repository,
  });
  const event = { name: 'pull_request_target', payload };
  const { conclusion, outputs } = await world.run('opened', { event, inputs });
  expect(conclusion).toBe('failure');
  expect(outputs['error']).toMatch(/^preview-domain: needs \{number\}/);
  expect(world.emulator.journal.entries.filter(({ operation }) => operation !== 'git')).toEqual([]);
});

describe.concurrent('a fixed hostname', () => {
  it('that a pull request did not get is not deployed to', async () => {
    await using world = await startServing();
    const given = { 'preview-domain': production };
    expectRefused(await run(world, 'topic', 'opened', given), world);
  });

  it.each(['check_suite', 'merge_group'])('is not deployed to on %s', async (name) => {
    await using world = await startServing();
    const head = await world.project.head();
    const payload = adjust(examplePayload(name), { [`${name}.head_sha`]: head });
    const given = { ...inputs, 'preview-domain': production, comment: 'false' };
    const result = await world.run('opened', { event: { name, payload }, inputs: given });
    expectRefused(result, world);
    expect(world.project.deployments).toEqual([]);
  });

  it('is deployed to by a push', async () => {
    await using world = await startServing();
    const payload = { ref: 'refs/heads/main', after: await world.project.head() };
    const given = { 'preview-domain': production, comment: 'false' };
    const event = { name: 'push', payload };
    const { outputs } = await world.run('opened', { event, inputs: given });
    expect(outputs).toMatchObject({ error: '', outcome: 'succeeded' });
  });
});
