import { describe, expect, it } from 'vitest';
import { startDomains } from '../support/domains.ts';

const env = { FIRST: 'not-a-real-value' };

describe.concurrent('what a file declared', () => {
  it.each([
    ['in a file', { 'env-ledger': 'ledger' }, true],
    ['in a file, without a project', { 'env-ledger': 'ledger', 'project-id': '' }, false],
  ])('is remembered %s, beside the variables', async (_, inputs, hasVariables) => {
    await using world = await startDomains();
    world.emulator.world.registerDomain('example.com');
    const site = (content: string) => ({
      ...(hasVariables && { environment: { FIRST: { from: 'FIRST' } } }),
      'registered-domains': { 'example.com': { dns: [{ type: 'A', name: 'www', content }] } },
    });
    await world.run(site('203.0.113.10'), { inputs, env });
    const edited = await world.run(site('203.0.113.11'), { inputs, env });
    expect(edited.outputs).toMatchObject({ outcome: 'synced', drift: 'false', error: '' });
    const again = await world.run(site('203.0.113.11'), {
      inputs: { ...inputs, mode: 'plan' },
      env,
    });
    expect(again.outputs).toMatchObject({ drift: 'false' });
    const forgotten = { ...inputs, 'env-ledger': 'off' };
    const refused = await world.run(site('203.0.113.12'), { inputs: forgotten, env });
    expect(refused.outputs['error']).toContain('No ledger is kept (env-ledger: off).');
  });
});
