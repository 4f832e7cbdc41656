// Attack (starting): A deployment takes a hostname from an unrelated project: a typo in `preview-domain`, a new
// project, a branch's name
// Defense: Moved only from projects that the inputs name; checked before the first write and before the assignment,
// even with `allow-production`

import { describe, expect, it } from 'vitest';
import { startExampleWorld } from '../examples/example-world.ts';
import { hostname, type PullRequestWorld, startPullRequest } from './pull-request-world.ts';

const byHand = { name: 'workflow_dispatch', payload: {} };
const push = { name: 'push', payload: { ref: 'refs/heads/main' } } as const;

const projectOf = ({ emulator }: PullRequestWorld, name: string) =>
  emulator.world.domains.all.find((domain) => domain.hostname === name)?.projectId;

/** What the service was asked to change. */
const writes = ({ emulator }: PullRequestWorld) =>
  emulator.journal.entries.filter(({ method }) => method !== 'GET');

describe.concurrent('a hostname that serves a project which the run does not know', () => {
  const fixed = { 'preview-domain': 'www.example.com' };
  it.each<[string, string, boolean, (id: string) => Record<string, string>]>([
    ['a push with a fixed hostname', 'www.example.com', true, () => fixed],
    ['the same with variables', 'www.example.com', true, () => ({ ...fixed, env: 'A=1' })],
    ['the same without deploying', 'www.example.com', true, () => ({ ...fixed, deploy: 'false' })],
    [
      'a push that may do anything',
      'www.example.com',
      true,
      () => ({ ...fixed, 'allow-production': 'true' }),
    ],
    ['a pull request', hostname, false, () => ({})],
    [
      'a pull request that may do anything',
      hostname,
      false,
      () => ({ 'allow-production': 'true' }),
    ],
    [
      'a pull request that leases',
      hostname,
      false,
      (id) => ({ 'project-id': '', 'preview-projects': id }),
    ],
  ])('%s: nothing is written, and both are named', async (_, name, isPush, inputs) => {
    await using world = await startPullRequest();
    const other = await world.emulator.world.createProject();
    world.emulator.world.connectDomain(name, other.id);
    const commit = { 'commit-sha': 'HEAD' };
    const given = { ...commit, ...inputs(world.project.id) };
    const run = await world.run('opened', { inputs: given, ...(isPush && { event: push }) });
    expect(run.outputs['outcome']).toBe('failed');
    expect(run.outputs['error']).toContain(`${name} is assigned to project ${other.id}`);
    expect(run.outputs['error']).toMatch(
      /Clear the assignment .* or move it with the domains action/,
    );
    expect(writes(world)).toEqual([]);
    expect(projectOf(world, name)).toBe(other.id);
  });

  it('is not planned to move either', async () => {
    await using world = await startPullRequest();
    const other = await world.emulator.world.createProject();
    world.emulator.world.connectDomain('www.example.com', other.id);
    const inputs = { ...fixed, mode: 'plan', 'commit-sha': 'HEAD' };
    const run = await world.run('opened', { inputs, event: push });
    expect(run.outputs['outcome']).toBe('planned');
    expect(run.annotations.map(({ message }) => message).join()).toContain(
      `This plan can't be applied. www.example.com is assigned to project ${other.id}`,
    );
    expect(run.log.join('\n')).toContain('nothing would be deployed');
  });

  it.each([
    ['connected before', true],
    ['connected meanwhile', false],
  ])('since the first look, and was %s, is left there', async (_, isConnected) => {
    await using world = await startPullRequest();
    const other = await world.emulator.world.createProject();
    if (isConnected) world.emulator.world.connectDomain(hostname);
    // The first look at the pull request, for which the hostname waits, ends after the look at the domains.
    const listed = world.emulator.journal.waitFor(
      ({ operation, status }) => operation === 'listConnectedDomains' && status !== null,
    );
    let looks = 0;
    world.github.on('pulls/get', async () => {
      looks += 1;
      if (looks > 1) return;
      await listed;
      if (isConnected) world.emulator.world.assignDomain(hostname, other.id);
      else world.emulator.world.connectDomain(hostname, other.id);
    });
    const run = await world.run('opened');
    expect(projectOf(world, hostname)).toBe(other.id);
    expect(run.outputs['outcome']).toBe('failed');
    expect(run.outputs['error']).toContain(`${hostname} is assigned to project ${other.id}`);
    expect(world.project.deployments).toEqual([]);
  });

  it('is not taken by new-project.yml', async () => {
    await using world = await startExampleWorld();
    const { emulator, project, push: pushNew, play } = world;
    emulator.world.connectDomain('www.example.com', project.id);
    const sha = await pushNew();
    const inputs = { hostname: 'www.example.com' };
    const [, deployed] = await play('new-project.yml', byHand, { inputs, github: { sha } });
    expect(deployed?.outputs['outcome']).toBe('failed');
    expect(deployed?.outputs['error']).toContain(
      `www.example.com is assigned to project ${project.id}`,
    );
    expect(emulator.world.domains.all).toMatchObject([{ projectId: project.id }]);
  });
});

describe.concurrent('a hostname is moved from', () => {
  it('another project of preview-projects', async () => {
    await using world = await startPullRequest();
    const other = await world.emulator.world.createProject();
    world.emulator.world.connectDomain('www.example.com', other.id);
    const inputs = {
      'preview-domain': 'www.example.com',
      'preview-projects': other.id,
      'commit-sha': 'HEAD',
    };
    const run = await world.run('opened', { inputs, event: push });
    expect(run.outputs).toMatchObject({ outcome: 'succeeded', error: '' });
    expect(projectOf(world, 'www.example.com')).toBe(world.project.id);
  });

  it('no project for being the one of its last run', async () => {
    await using world = await startPullRequest();
    const former = await world.emulator.world.createProject();
    await world.run('opened', { inputs: { 'project-id': former.id } });
    const run = await world.run('synchronize');
    expect(run.outputs['error']).toContain(`${hostname} is assigned to project ${former.id}`);
    expect(projectOf(world, hostname)).toBe(former.id);
  });
});
