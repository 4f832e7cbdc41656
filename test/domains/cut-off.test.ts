import { describe, expect, it } from 'vitest';
import { abortOn } from '../support/abort-on.ts';
import { contentsOf } from '../support/domains.ts';
import { linesIn, startWorld } from '../support/world.ts';
import { planDomainsOf, resultsOf, runDomains } from './run.ts';

const names = ['a', 'b', 'c'];
const site = {
  'connected-domains': { 'a.example.com': { project: 'self' } },
  'registered-domains': {
    'example.com': { dns: names.map((name) => ({ type: 'A', name, content: '203.0.113.10' })) },
  },
};

describe.concurrent.each(['timed-out', 'cancelled'] as const)('a run that is %s', (outcome) => {
  it('in mid-apply says what it did and did not reach, and the next one completes it', async () => {
    await using world = await startWorld();
    const { emulator } = world;
    emulator.world.registerDomain('example.com');
    abortOn(world, (progress) => /^\S created /.test(linesIn(progress)), outcome);
    const report = await runDomains(world, site);
    expect(report).toMatchObject({
      outcome,
      error: {
        'timed-out':
          'The run is timed-out. The request to create the DNS record got no response. If the service is slow, raise timeout. (SD9002)',
        cancelled: 'The run is cancelled. (SD9002)',
      }[outcome],
      isPlanned: false,
    });
    expect(resultsOf(report)).toEqual({
      done: ['a.example.com, connect', 'A a.example.com "203.0.113.10", create'],
      'not-reached': [
        'A b.example.com "203.0.113.10", create',
        'A c.example.com "203.0.113.10", create',
        'a.example.com, assign',
      ],
    });
    expect(contentsOf(emulator, 'example.com')).toEqual(['A a 203.0.113.10']);
    expect(report.connected).toMatchObject([{ hostname: 'a.example.com' }]);
  });

  it('while it assigns a domain does not ask what became of it', async () => {
    await using world = await startWorld();
    const until = async () => world.abort(outcome);
    world.emulator.faults.add({ kind: 'hold', path: /project$/, until });
    const report = await runDomains(world, { 'connected-domains': site['connected-domains'] });
    expect(resultsOf(report)).toMatchObject({ done: ['a.example.com, connect'] });
    expect(report.outcome).toBe(outcome);
    expect(world.told.map(({ type }) => type)).not.toContain('note');
  });

  it('while it follows the verification still tells what it did, and which DNS records are to be made', async () => {
    await using world = await startWorld({
      dialect: { revalidation: 'advances', verifyMs: 1e9 },
    });
    world.emulator.world.registerDomain('example.com');
    abortOn(world, (progress) => linesIn(progress).startsWith('Domain '), outcome);
    const report = await runDomains(world, site, { follow: 60_000 });
    expect(report.outcome).toBe(outcome);
    expect(report.connected[0]?.records.map(({ type }) => type)).toEqual(['CNAME', 'TXT', 'CNAME']);
    expect(new Set(report.results.map((one) => one.outcome))).toEqual(new Set(['done']));
  });

  it('while it lists what is left in place still tells its plan', async () => {
    await using world = await startWorld();
    world.emulator.world.registerDomain('example.com');
    await runDomains(world, site);
    const record = { type: 'A', name: 'other', content: '203.0.113.10' };
    world.host.drained = async () => world.abort(outcome);
    const report = await planDomainsOf(world, {
      'registered-domains': { 'example.com': { dns: [record] } },
    });
    expect(report).toMatchObject({ outcome, undeclared: [], changes: [{ action: 'create' }] });
    expect(report.digest).not.toBe('');
  });

  it('before it has planned leaves nothing behind', async () => {
    await using world = await startWorld();
    world.abort(outcome);
    const report = await runDomains(world, site);
    expect(report).toMatchObject({ outcome, digest: '', changes: [], results: [] });
    expect(world.emulator.journal.entries).toEqual([]);
  });
});

describe.concurrent('a run that cannot read', () => {
  it.each([
    ['a zone that is not registered', {}, 'Could not list the DNS records'],
    ['domains that it may not list', { refuse: ['listConnectedDomains'] }, '403'],
  ])('%s fails before it writes', async (_, dialect, says) => {
    await using world = await startWorld({ dialect });
    if ('refuse' in dialect) world.emulator.world.registerDomain('example.com');
    const report = await planDomainsOf(world, site);
    expect(report.outcome).toBe('failed');
    expect(report.error).toContain(says);
    const methods = world.emulator.journal.entries.map(({ method }) => method);
    expect(new Set(methods)).toEqual(new Set(['GET']));
  });
});
