// Attack (starting): `env-sync`, or `deploy: false`, writes a fork's file to production
// Defense: The project is checked before every write; plans are always allowed
// Attack (starting): `domains` applies the site file of a fork, a comment or the merge queue
// Defense: A file that is not merged changes nothing unless `allow-production: true`

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../emulator/runner.ts';
import { startEnvSync, stored, writesOf } from '../dist/env-sync-world.ts';
import { unpacked } from '../dist/run-step.ts';
import { startDomains, writesTo } from '../support/domains.ts';
import { adjust, examplePayload } from '../support/payloads.ts';

const repository = 'octo-org/octo-site';

/** An event of a pull request whose branch is in this repository. */
function ofPullRequest(name: string, from: string): RunEvent {
  const payload = adjust(examplePayload('pull_request', 'opened'), {
    'pull_request.head.repo.full_name': from,
    'pull_request.base.repo.full_name': repository,
  });
  return { name, payload };
}

/** Runs of code that nobody has merged, with secrets. */
const unmerged: readonly (readonly [string, RunEvent])[] = [
  ["a fork's pull_request_target", ofPullRequest('pull_request_target', 'stranger/octo-site')],
  ['a pull request from a branch of the repository', ofPullRequest('pull_request', repository)],
  ['a merge queue', { name: 'merge_group', payload: examplePayload('merge_group') }],
  ["a check that somebody's app ran", { name: 'check_run', payload: examplePayload('check_run') }],
  ["a member's comment", { name: 'issue_comment', payload: examplePayload('issue_comment') }],
];

const file = 'FROM_FILE=of somebody\n';

describe.concurrent('the variables of a project that serves a site', () => {
  it.each(unmerged)('are not written by env-sync for %s', async (_, event) => {
    await using world = await startEnvSync();
    await writeFile(join(world.workspace, 'env'), file);
    world.emulator.world.connectDomain('www.example.com', world.project.id);
    const result = await world.run({}, { event, inputs: { 'env-file': 'env' } });
    expect(result.conclusion).toBe('failure');
    expect(result.outputs).toMatchObject({ outcome: 'failed' });
    expect(result.outputs['error']).toMatch(/www\.example\.com.*allow-production: true/);
    expect(writesOf(world.emulator)).toEqual([]);
    expect(stored(world.project)).toEqual({});
  });

  it.each(unmerged)('are not written by deploy: false for %s', async (_, event) => {
    await using world = await startEnvSync();
    await writeFile(join(world.workspace, 'env'), file);
    world.emulator.world.connectDomain('www.example.com', world.project.id);
    const inputs = { 'env-file': 'env', deploy: 'false', comment: 'false' };
    const result = await world.run({}, { action: unpacked, event, inputs });
    expect(result.outputs).toMatchObject({ outcome: 'failed' });
    expect(result.outputs['error']).toMatch(/www\.example\.com.*allow-production: true/);
    expect(result.log.join('\n')).not.toContain('Environment:');
    expect(stored(world.project)).toEqual({});
  });

  it.each([
    ['env-sync', join(unpacked, 'env-sync'), {}],
    ['deploy: false', unpacked, { deploy: 'false', comment: 'false' }],
  ])('are written by %s for who says so', async (_, action, given) => {
    await using world = await startEnvSync();
    await writeFile(join(world.workspace, 'env'), file);
    world.emulator.world.connectDomain('www.example.com', world.project.id);
    const inputs = { 'env-file': 'env', 'allow-production': 'true', ...given };
    const event = ofPullRequest('pull_request', repository);
    const { outputs } = await world.run({}, { action, event, inputs });
    expect(outputs).toMatchObject({ outcome: 'synced', error: '' });
    expect(stored(world.project)).toEqual({ FROM_FILE: 'of somebody' });
  });

  it("of a preview are the deploy action's to write, and env-sync says so", async () => {
    await using world = await startEnvSync();
    world.emulator.world.connectDomain('pr-7.p.example.com', world.project.id);
    const event = ofPullRequest('pull_request', repository);
    const { outputs } = await world.run({ A: 'fake' }, { event });
    expect(outputs['error']).toMatch(/pr-7\.p\.example\.com.*with the deploy action/);
    const inputs = { 'preview-domain': 'pr-{number}.p.example.com', deploy: 'false' };
    const payload = adjust(examplePayload('pull_request', 'opened'), {
      'pull_request.number': 7,
      'pull_request.head.repo.full_name': repository,
      'pull_request.base.repo.full_name': repository,
    });
    const options = {
      action: unpacked,
      event: { name: 'pull_request', payload },
      inputs: { ...inputs, comment: 'false' },
    };
    expect((await world.run({ A: 'fake' }, options)).outputs).toMatchObject({ outcome: 'synced' });
  });

  it('are written after the merge', async () => {
    await using world = await startEnvSync();
    world.emulator.world.connectDomain('www.example.com', world.project.id);
    const event = { name: 'push', payload: examplePayload('push') };
    const { outputs } = await world.run({ A: 'fake' }, { event });
    expect(outputs).toMatchObject({ outcome: 'synced', error: '' });
  });

  it('may be planned for by anybody who may start a run', async () => {
    await using world = await startEnvSync();
    world.emulator.world.connectDomain('www.example.com', world.project.id);
    const event = ofPullRequest('pull_request', repository);
    const { outputs } = await world.run({ A: 'fake' }, { event, inputs: { mode: 'plan' } });
    expect(outputs).toMatchObject({ outcome: 'planned', drift: 'true', error: '' });
  });

  it('may be planned for with deploy, too, and the plan says that it would be refused', async () => {
    await using world = await startEnvSync();
    world.emulator.world.connectDomain('www.example.com', world.project.id);
    const event = ofPullRequest('pull_request', repository);
    const inputs = { mode: 'plan', comment: 'false' };
    const { outputs, log, summary } = await world.run(
      { A: 'fake' },
      { action: unpacked, event, inputs },
    );
    expect(outputs).toMatchObject({ outcome: 'planned', error: '' });
    expect(outputs['plan']).toContain('"name":"A","action":"create"');
    expect(log.join('\n')).toMatch(/can't be applied.*www\.example\.com.*allow-production: true/);
    expect(summary).toContain('nothing would be deployed');
    expect(writesOf(world.emulator)).toEqual([]);
  });

  it('of a project that serves nothing are written, as those of a preview are', async () => {
    await using world = await startEnvSync();
    const event = ofPullRequest('pull_request', repository);
    const { outputs } = await world.run({ A: 'fake' }, { event });
    expect(outputs).toMatchObject({ outcome: 'synced', error: '' });
  });
});

describe.concurrent('domains', () => {
  const site = {
    environment: { A: { value: 'of somebody', kind: 'plain' } },
    'connected-domains': { 'www.example.com': { project: 'self' } },
    'registered-domains': {
      'example.com': { renewal: false, dns: [{ type: 'A', name: '@', content: '203.0.113.66' }] },
    },
  };

  it.each(unmerged)('are not changed by the site file of %s', async (_, event) => {
    await using world = await startDomains();
    world.emulator.world.registerDomain('example.com');
    const result = await world.run(site, { event, inputs: { comment: 'false' } });
    expect(result.conclusion).toBe('failure');
    expect(result.outputs['error']).toContain('allow-production');
    expect(writesTo(world.emulator)).toEqual([]);
  });

  it('are not set by it either, where nothing else is left to do', async () => {
    await using world = await startDomains();
    world.emulator.world.registerDomain('example.com');
    const settings = { 'registered-domains': { 'example.com': { renewal: false } } };
    const event = ofPullRequest('pull_request_target', 'stranger/octo-site');
    const result = await world.run(settings, { event, inputs: { comment: 'false' } });
    expect(result.outputs['error']).toContain('allow-production');
    expect(writesTo(world.emulator)).toEqual([]);
  });

  it.each([
    ['planned', { mode: 'plan' }, 'planned'],
    ['changed by who says so', { 'allow-production': 'true' }, 'synced'],
  ])('are %s', async (_, given, outcome) => {
    await using world = await startDomains();
    world.emulator.world.registerDomain('example.com');
    const event = ofPullRequest('pull_request', repository);
    const { outputs } = await world.run(site, { event, inputs: { comment: 'false', ...given } });
    expect(outputs).toMatchObject({ outcome, error: '' });
  });
});
