import { describe, expect, it } from 'vitest';
import { startDomains } from '../support/domains.ts';

describe.concurrent('what a file declared', () => {
  it.each([
    ['in a file', { ledger: 'ledger' }],
    [
      'in a file, with a key of its own',
      { ledger: 'ledger', 'ledger-key': 'not-a-real-ledger-key' },
    ],
    ['in a file, without a project', { ledger: 'ledger', 'project-id': '' }],
  ])('is remembered %s', async (_, inputs) => {
    await using world = await startDomains();
    world.emulator.world.registerDomain('example.com');
    const site = (content: string) => ({
      'registered-domains': { 'example.com': { dns: [{ type: 'A', name: 'www', content }] } },
    });
    await world.run(site('203.0.113.10'), { inputs });
    const edited = await world.run(site('203.0.113.11'), { inputs });
    expect(edited.outputs).toMatchObject({ outcome: 'synced', drift: 'false', error: '' });
    const again = await world.run(site('203.0.113.11'), {
      inputs: { ...inputs, mode: 'plan' },
    });
    expect(again.outputs).toMatchObject({ drift: 'false' });
    const forgotten = { ...inputs, ledger: 'off' };
    const refused = await world.run(site('203.0.113.12'), { inputs: forgotten });
    expect(refused.log.join('\n')).toContain('No ledger is kept (ledger: off).');
    expect(refused.outputs['error']).toContain('1 record not in the site file would be replaced');
  });
});
