import { describe, expect, it } from 'vitest';
import { decode } from '../support/report/decode.ts';
import { now, old, startDrifted, stored, writesOf } from './env-sync-world.ts';
import { number, repository, startPullRequest } from './pull-request-world.ts';

const plan = { 'env-remove': 'DROPPED', mode: 'plan' };

describe.concurrent('mode: plan', () => {
  it('sends one GET, writes no ledger, and tells the plan in outputs, log and summary', async () => {
    await using world = await startDrifted();
    const ledger = await world.readLedger();
    const writes = writesOf(world.emulator).length;
    const result = await world.run(now, { inputs: plan });
    expect(result.conclusion).toBe('success');
    expect(result.outputs).toMatchObject({ outcome: 'planned', drift: 'true', requests: '1' });
    const told = JSON.parse(result.outputs['plan'] ?? '');
    expect(told).toEqual({
      digest: result.outputs['plan-digest'],
      changes: [
        ['CHANGED', 'replace'],
        ['NEW', 'create'],
        ['DROPPED', 'delete'],
      ].map(([name, action]) => ({
        type: 'environment',
        resource: 'variable',
        name,
        action,
        reason: expect.any(String),
      })),
    });
    expect(result.log.join('\n')).toMatch(/to replace +CHANGED/);
    expect(result.summary).toContain('```diff\n@@ variables @@\n');
    expect(writesOf(world.emulator)).toHaveLength(writes);
    expect(stored(world.project)).toEqual(old);
    expect(await world.readLedger()).toBe(ledger);
  });

  it.each([
    ['drifts', now, 'true', 'failure'],
    ['drifts and fail-on-drift is off', now, 'false', 'success'],
    ['does not drift', old, 'true', 'success'],
  ])('with fail-on-drift, when the service %s', async (_, variables, failOnDrift, conclusion) => {
    await using world = await startDrifted();
    const inputs = {
      ...(variables === now ? plan : { mode: 'plan' }),
      'fail-on-drift': failOnDrift,
    };
    const result = await world.run(variables, { inputs });
    expect(result.conclusion).toBe(conclusion);
    expect(result.outputs).toMatchObject({
      outcome: 'planned',
      drift: String(variables === now),
      error:
        conclusion === 'failure'
          ? expect.stringContaining('To apply the plan, run with mode: apply')
          : '',
    });
  });

  it('with fail-on-drift fails for a rotation by hand that the policy would keep', async () => {
    await using world = await startDrifted();
    world.project.setVariable({ name: 'SAME', value: 'by hand' });
    const inputs = { mode: 'plan', 'fail-on-drift': 'true', 'env-on-conflict': 'keep' };
    const { conclusion, outputs } = await world.run(old, { inputs });
    expect(conclusion).toBe('failure');
    expect(outputs['drift']).toBe('true');
  });

  it.each(['pull_request', 'push'])(
    'of the deploy action writes nothing on the service, and on GitHub only its comment (%s)',
    async (name) => {
      await using world = await startPullRequest();
      const { emulator, github, project } = world;
      project.setVariable({ name: 'CHANGED', value: 'by hand' });
      const after = await project.head();
      const push = { name, payload: { ref: 'refs/heads/main', after } };
      const { outputs, conclusion, summary } = await world.run('opened', {
        ...(name === 'push' ? { event: push } : {}),
        env: now,
        inputs: {
          mode: 'plan',
          'env-from': 'CHANGED\nNEW',
          'env-ledger': 'ledger',
          ...(name === 'push' ? { 'preview-domain': '' } : {}),
        },
      });
      expect(conclusion).toBe('success');
      expect(outputs).toMatchObject({ outcome: 'planned', drift: 'true', 'deployment-id': '' });
      expect(summary).toContain('CHANGED');
      expect(writesOf(emulator)).toEqual([]);
      expect(project.deployments).toEqual([]);
      expect(emulator.world.domains.all).toEqual([]);
      const comments = github.comments(repository, number).map(({ body = '' }) => decode(body));
      const told = expect.stringMatching(
        /Preview of #.7: plan of 3 changes[\s\S]*```diff\n@@ variables @@\n/,
      );
      expect(comments).toEqual(name === 'push' ? [] : [told]);
      // On push, earlier releases are read: an older commit would be skipped.
      if (name === 'push') expect(github.journal.map(({ method }) => method)).toEqual(['GET']);
    },
  );
});
