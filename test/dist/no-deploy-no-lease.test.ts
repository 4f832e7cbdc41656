// Attack (starting): A comment on a stranger's pull request takes a preview project forever
// Defense: A run with `deploy: false` takes none

import { describe, expect, it } from 'vitest';
import { hostname, type PullRequestWorld, startPullRequest } from './pull-request-world.ts';

const inputsOf = ({ project }: PullRequestWorld) => ({
  'project-id': '',
  'preview-projects': project.id,
  deploy: 'false',
});

const writes = ({ emulator }: PullRequestWorld) =>
  emulator.journal.entries.filter(({ method }) => method !== 'GET');

describe.concurrent('a run with deploy: false and preview-projects', () => {
  it.each<[string, Record<string, string>]>([
    ['by itself', {}],
    ['with variables', { env: 'A=1' }],
    ['with a check', { 'verify-url': 'https://{preview-domain}/' }],
    ['that may do anything', { 'allow-production': 'true' }],
  ])('%s takes no project for a pull request without a preview: it is skipped', async (_, more) => {
    await using world = await startPullRequest();
    const run = await world.run('opened', { inputs: { ...inputsOf(world), ...more } });
    expect(run.conclusion).toBe('success');
    expect(run.outputs).toMatchObject({
      outcome: 'skipped',
      'skipped-reason': 'no-preview',
      'project-id': '',
    });
    expect(run.outputs['error']).toContain(
      'deploy: false uses only a project that the pull request has already',
    );
    expect(writes(world)).toEqual([]);
    expect(world.emulator.world.domains.all).toEqual([]);
  });

  it('finds the project of a preview that is there, and writes its variables', async () => {
    await using world = await startPullRequest();
    world.emulator.world.connectDomain(hostname, world.project.id);
    const inputs = { ...inputsOf(world), env: 'A=1' };
    const run = await world.run('opened', { inputs });
    expect(run.outputs).toMatchObject({ outcome: 'synced', 'project-id': world.project.id });
    expect(world.emulator.journal.of('assignDomain')).toEqual([]);
    expect(world.project.deployments).toEqual([]);
  });

  it('whose hostname is connected, and on no project, takes none either', async () => {
    await using world = await startPullRequest();
    world.emulator.world.connectDomain(hostname);
    const run = await world.run('opened', { inputs: inputsOf(world) });
    expect(run.outputs['skipped-reason']).toBe('no-preview');
    expect(writes(world)).toEqual([]);
  });

  it('does not place a hostname anew that was taken off meanwhile', async () => {
    await using world = await startPullRequest();
    world.emulator.world.connectDomain(hostname, world.project.id);
    let lists = 0;
    world.emulator.faults.add({
      operation: 'listConnectedDomains',
      after: 1,
      kind: 'hold',
      until: async () => {
        lists += 1;
        if (lists === 1) world.emulator.world.domains.disconnect(hostname);
      },
    });
    const run = await world.run('opened', { inputs: inputsOf(world) });
    expect(run.outputs['outcome']).toBe('failed');
    expect(run.outputs['error']).toContain('is no longer assigned to its project');
    expect(world.emulator.world.domains.all).toEqual([]);
  });

  it('plans and explains the same', async () => {
    await using world = await startPullRequest();
    const inputs = { ...inputsOf(world), mode: 'plan' };
    const planned = await world.run('opened', { inputs });
    expect(planned.outputs['outcome']).toBe('planned');
    expect(planned.summary).toContain('the run would be skipped');
    const explained = await world.run('opened', { inputs: { ...inputs, mode: 'explain' } });
    expect(explained.log.join('\n')).toContain('the run is skipped (no-preview)');
    expect(writes(world)).toEqual([]);
  });
});
