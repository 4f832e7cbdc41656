// Attack (starting): A stranger's file names any secret of the step
// Defense: There a file can name only what `env-from` names; the error doesn't reveal what the step has

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../emulator/runner.ts';
import { startEnvSync, stored } from '../dist/env-sync-world.ts';
import { unpacked } from '../dist/run-step.ts';
import { startDomains } from '../support/domains.ts';
import { adjust, examplePayload } from '../support/payloads.ts';

const repository = 'octo-org/octo-site';
const repositories = { own: { id: 1, full_name: repository }, fork: { id: 2, full_name: 'a/b' } };

const ofPullRequest = (name: string, from: keyof typeof repositories): RunEvent => ({
  name,
  payload: adjust(examplePayload('pull_request', 'opened'), {
    'pull_request.head.repo.full_name': repositories[from].full_name,
    'pull_request.base.repo.full_name': repository,
  }),
});

const afterRun = (cause: string, from: keyof typeof repositories): RunEvent => ({
  name: 'workflow_run',
  payload: adjust(examplePayload('workflow_run', 'completed'), {
    'workflow_run.event': cause,
    'workflow_run.head_repository': repositories[from],
    'workflow_run.repository': repositories.own,
    'workflow_run.pull_requests': [],
  }),
});

const plain = (name: string): RunEvent => ({ name, payload: examplePayload(name) });

/** Runs that others than the repository's writers can have caused. */
const strange: readonly (readonly [string, RunEvent])[] = [
  ['pull_request_target of a fork', ofPullRequest('pull_request_target', 'fork')],
  ['pull_request_target', ofPullRequest('pull_request_target', 'own')],
  ['pull_request of a fork that is given secrets', ofPullRequest('pull_request', 'fork')],
  ['workflow_run of a fork', afterRun('pull_request', 'fork')],
  ["a member's comment", plain('issue_comment')],
  ["a member's review", plain('pull_request_review')],
  ["a member's issue", plain('issues')],
  ['a check suite', plain('check_suite')],
  ['a check run', plain('check_run')],
  ['a commit status', plain('status')],
];

/** Runs that only its writers can cause. */
const own: readonly (readonly [string, RunEvent])[] = [
  ['push', plain('push')],
  ['workflow_dispatch', plain('workflow_dispatch')],
  ['a pull request from a branch of the repository', ofPullRequest('pull_request', 'own')],
  ['workflow_run after a push', afterRun('push', 'own')],
  ['workflow_run of a branch of the repository', afterRun('pull_request', 'own')],
];

const secret = 'not-a-real-production-secret';
const site = JSON.stringify({ environment: { LEAK: { from: 'PRODUCTION_SECRET' } } });

/** Runs an action with a site file that names a secret of the step's environment. */
async function run(event: RunEvent, inputs: Record<string, string> = {}, action = 'env-sync') {
  await using world = await startEnvSync();
  await writeFile(join(world.workspace, 'site.yml'), site);
  const result = await world.run(
    {},
    {
      action: join(unpacked, action),
      event,
      env: { PRODUCTION_SECRET: secret },
      inputs: { config: 'site.yml', 'allow-production': 'true', ...inputs },
    },
  );
  return { ...result, stored: stored(world.project), asked: world.emulator.journal.entries };
}

describe.concurrent('a site file that names a source', () => {
  it.each(strange)('that no input names is refused: %s', async (_, event) => {
    const result = await run(event);
    expect(result.conclusion).toBe('failure');
    expect(result.outputs['error']).toMatch(/line 1 .*PRODUCTION_SECRET.*env-from/);
    expect(result.asked).toEqual([]);
  });

  it.each(strange)('that env-from names is taken: %s', async (_, event) => {
    const result = await run(event, { 'env-from': 'OTHER=PRODUCTION_SECRET' });
    expect(result.outputs).toMatchObject({ outcome: 'synced', error: '' });
    expect(result.stored).toEqual({ LEAK: secret, OTHER: secret });
  });

  it.each(own)('is taken on %s', async (_, event) => {
    const result = await run(event);
    expect(result.outputs).toMatchObject({ outcome: 'synced', error: '' });
    expect(result.stored).toEqual({ LEAK: secret });
  });

  it('is refused by deploy, too', async () => {
    const [first] = strange;
    const inputs = { deploy: 'false', comment: 'false' };
    const result = await run(first?.[1] ?? plain('status'), inputs, '');
    expect(result.outputs['error']).toMatch(/PRODUCTION_SECRET.*env-from/);
    expect(result.asked).toEqual([]);
  });

  it.each(['plan', 'apply'])(
    'gets nothing from domains, which reads no source (mode: %s)',
    async (mode) => {
      await using world = await startDomains();
      const result = await world.run(site, {
        event: ofPullRequest('pull_request_target', 'fork'),
        env: { PRODUCTION_SECRET: secret },
        inputs: { mode, comment: 'false', 'allow-production': 'true' },
      });
      expect(result.conclusion).toBe('success');
      expect(JSON.stringify(world.emulator.journal.entries)).not.toContain(secret);
      const { outputs, summary } = result;
      expect(JSON.stringify({ outputs, summary })).not.toMatch(/PRODUCTION_SECRET|not-a-real/);
    },
  );
});

describe.concurrent('a site file of a stranger', () => {
  it('does not learn from the error whether a variable is there', async () => {
    await using world = await startEnvSync();
    await writeFile(join(world.workspace, 'site.yml'), site);
    const event = ofPullRequest('pull_request_target', 'fork');
    const inputs = { config: 'site.yml' };
    const there = await world.run({}, { event, env: { PRODUCTION_SECRET: secret }, inputs });
    const missing = await world.run({}, { event, inputs });
    expect(missing.outputs['error']).toBe(there.outputs['error']);
  });

  it('may still give values of its own', async () => {
    await using world = await startEnvSync();
    const own = { environment: { OPEN: { value: 'for all to see', kind: 'plain' } } };
    await writeFile(join(world.workspace, 'site.yml'), JSON.stringify(own));
    const event = ofPullRequest('pull_request_target', 'fork');
    const result = await world.run({}, { event, inputs: { config: 'site.yml' } });
    expect(result.outputs).toMatchObject({ outcome: 'synced', error: '' });
  });
});
