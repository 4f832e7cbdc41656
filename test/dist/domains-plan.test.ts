import { describe, expect, it } from 'vitest';
import { startDomains, writesTo } from '../support/domains.ts';

const json = (text: string | undefined): unknown => JSON.parse(text ?? '');

const site = {
  'connected-domains': { 'www.example.com': { project: 'self' } },
  'registered-domains': {
    'example.com': { renewal: true, dns: [{ type: 'A', name: 'www', content: '203.0.113.10' }] },
  },
};

describe.concurrent('a plan', () => {
  it('shows a domain that serves another project as a move, with both projects', async () => {
    await using world = await startDomains();
    const other = await world.emulator.world.createProject();
    world.emulator.world.connectDomain('www.example.com', other.id);
    const only = { 'connected-domains': site['connected-domains'] };
    const { outputs, summary } = await world.run(only, { inputs: { mode: 'plan' } });
    const move = { from: other.id, to: world.project.id };
    expect(json(outputs['plan'])).toMatchObject({ changes: [{ action: 'assign', project: move }] });
    const short = (id: string) => id.slice(0, 8);
    expect(summary).toMatch(
      new RegExp(`move from project ${short(other.id)}.* to project ${short(world.project.id)}`),
    );
  });

  it('writes nothing, whatever it is asked for beside it', async () => {
    await using world = await startDomains();
    world.emulator.world.registerDomain('example.com');
    world.emulator.world.connectDomain('www.example.com');
    const result = await world.run(site, {
      inputs: { mode: 'plan', check: 'example.net', wait: '5m' },
    });
    expect(result.conclusion).toBe('success');
    expect(result.outputs).toMatchObject({ outcome: 'planned', drift: 'true', error: '' });
    expect(writesTo(world.emulator)).toEqual([]);
    expect(world.emulator.journal.entries.filter(({ effect }) => effect)).toEqual([]);
    expect(json(result.outputs['plan'])).toEqual({
      digest: result.outputs['plan-digest'],
      changes: [
        {
          type: 'domain',
          resource: 'connected-domain',
          name: 'www.example.com',
          action: 'assign',
          reason: 'assigned to no project',
          project: { to: world.project.id },
        },
        {
          type: 'domain',
          resource: 'dns-record',
          name: 'A www.example.com "203.0.113.10"',
          action: 'create',
          reason: 'new',
          domain: 'example.com',
          record: { type: 'A', name: 'www', content: '203.0.113.10' },
        },
      ],
    });
    expect(result.summary).toContain('+ A      www  "203.0.113.10"');
    expect(result.annotations).toEqual([]);
  });

  it.each([
    ['fails', 'true', 'failure', 'differ from the site file. To overwrite'],
    ['does not fail', 'false', 'success', ''],
  ])('%s where something drifted and fail-on-drift is %s', async (_, fail, conclusion, says) => {
    await using world = await startDomains();
    world.emulator.world.registerDomain('example.com');
    const inputs = { mode: 'plan', 'fail-on-drift': fail };
    const result = await world.run(site, { inputs });
    expect(result.conclusion).toBe(conclusion);
    expect(result.outputs).toMatchObject({ outcome: 'planned', drift: 'true' });
    expect(result.outputs['error']).toContain(says);
    await world.run(site);
    const again = await world.run(site, { inputs });
    expect(again).toMatchObject({ conclusion: 'success', outputs: { drift: 'false', error: '' } });
  });

  it('is applied by its digest, and not after something changed', async () => {
    await using world = await startDomains();
    world.emulator.world.registerDomain('example.com');
    const planned = await world.run(site, { inputs: { mode: 'plan' } });
    const inputs = { 'expected-plan': planned.outputs['plan-digest'] ?? '' };
    world.emulator.world.connectDomain('www.example.com');
    const refused = await world.run(site, { inputs });
    expect(refused).toMatchObject({ conclusion: 'failure', outputs: { outcome: 'conflict' } });
    expect(refused.outputs['error']).toContain(
      `set expected-plan: ${refused.outputs['plan-digest']}`,
    );
    expect(writesTo(world.emulator)).toEqual([]);
    const digest = refused.outputs['plan-digest'] ?? '';
    const applied = await world.run(site, { inputs: { 'expected-plan': digest } });
    expect(applied.outputs).toMatchObject({ outcome: 'synced', 'plan-digest': digest });
  });

  it('that is too large is refused', async () => {
    await using world = await startDomains();
    world.emulator.world.registerDomain('example.com');
    const { conclusion, outputs } = await world.run(site, { inputs: { 'max-changes': '50%' } });
    expect(conclusion).toBe('failure');
    expect(outputs).toMatchObject({ outcome: 'failed', drift: 'true', requests: '2' });
    expect(outputs['error']).toContain('raise max-changes');
    expect(writesTo(world.emulator)).toEqual([]);
  });
});
