import { describe, expect, it } from 'vitest';
import type { DialectOptions } from '../../emulator/index.ts';
import { contentsOf } from '../support/domains.ts';
import { linesIn, startWorld } from '../support/world.ts';
import { planDomainsOf, runDomains, warningsTold } from './run.ts';

const hostname = 'www.example.com';
const connected = { 'connected-domains': { [hostname]: { project: 'self' } } };
const registered = (settings: object) => ({ 'registered-domains': { 'example.com': settings } });
const a = (name: string) => ({ type: 'A', name, content: '203.0.113.10' });

describe.concurrent('a domain', () => {
  const follow = 60_000;

  it.each<readonly [string, DialectOptions]>([
    [
      'in other words',
      {
        domainWords: {
          state: { waiting: 'new', working: 'in_progress', good: 'Live' },
          ownership: { good: 'OK' },
          certificate: { good: 'valid' },
          routing: { good: 'assigned' },
        },
      },
    ],
    ['with what it still lacks', { earlyVerificationErrors: true }],
    ['slowly', { revalidation: 'slow', revalidateMs: 5, verifyMs: 40 }],
  ])('is verified: %s', async (_, dialect) => {
    await using world = await startWorld({ dialect });
    const report = await runDomains(world, connected, { follow });
    expect(report).toMatchObject({ outcome: 'synced', connected: [{ verification: 'good' }] });
  });

  it.each(['ownership', 'certificate', 'routing'] as const)(
    'that fails at its %s is told so',
    async (domainStopsAt) => {
      await using world = await startWorld({ dialect: { domainStopsAt, domainEnds: 'failure' } });
      const report = await runDomains(world, connected, { follow });
      expect(report).toMatchObject({ connected: [{ verification: 'bad' }] });
      expect(JSON.stringify(report.connected)).toMatch(new RegExp(`${domainStopsAt}.*failed`));
    },
  );

  it('whose routing is checked again after it is assigned is followed to its end', async () => {
    const dialect = { assignmentReroutes: true, verifyMs: 0 };
    await using world = await startWorld({ dialect });
    const { emulator, project } = world;
    const domain = emulator.world.connectDomain(hostname);
    emulator.dialect.verifyMs = 150;
    const report = await runDomains(world, connected, { follow });
    expect(report).toMatchObject({ outcome: 'synced', connected: [{ verification: 'good' }] });
    expect(domain.projectId).toBe(project.id);
  });

  it.each<readonly [string, object, DialectOptions]>([
    ['bound', { project: 'self' }, { bindWords: { unbound: 'free', bound: 'attached' } }],
    ['renewed', { renewal: true }, { renewalWords: { on: 'auto', off: 'none' } }],
  ])('is %s in whatever word', async (_, settings, dialect) => {
    await using world = await startWorld({ dialect });
    world.emulator.world.registerDomain('example.com');
    const { outcome, results } = await runDomains(world, registered(settings));
    expect({ outcome, results }).toMatchObject({
      outcome: 'synced',
      results: [{ outcome: 'done' }],
    });
  });

  it('whose binding brings a record of the system has that left alone', async () => {
    await using world = await startWorld({ dialect: { bindingRecord: true } });
    world.emulator.world.registerDomain('example.com');
    const site = registered({ project: 'self', dns: [a('www')] });
    expect((await runDomains(world, site)).outcome).toBe('synced');
    expect(contentsOf(world.emulator, 'example.com')).toEqual(['A www 203.0.113.10']);
    expect((await planDomainsOf(world, site)).changes).not.toContainEqual(
      expect.objectContaining({ name: '@' }),
    );
  });

  it('where records stand beside a CNAME is read and written', async () => {
    await using world = await startWorld({ dialect: { cnameBesideOthers: 'allow' } });
    const { zone } = world.emulator.world.registerDomain('example.com');
    zone.put({ type: 'CNAME', name: 'www', content: 'one.example.net' });
    zone.put({ type: 'TXT', name: 'www', content: 'beside' });
    const report = await runDomains(world, registered({ dns: [a('api')] }));
    expect(report.outcome).toBe('synced');
    expect(contentsOf(world.emulator, 'example.com')).toContain('A api 203.0.113.10');
  });

  it.each(['403', '409', '422'] as const)(
    'whose record became managed refuses its update: %s',
    async (managedRefusal) => {
      await using world = await startWorld({ dialect: { managedRefusal } });
      const { emulator, host } = world;
      const { zone } = emulator.world.registerDomain('example.com');
      const record = zone.put({ type: 'A', name: 'www', content: '192.0.2.1' });
      const { report } = host;
      host.report = (progress) => {
        report(progress);
        if (linesIn(progress).startsWith('✓'))
          zone.put({ ...record, managedReason: 'Of the system.' });
      };
      const { outcome, error } = await runDomains(
        world,
        registered({ dns: [a('early'), a('www')] }),
      );
      expect(outcome).toBe('failed');
      expect(error).toContain(managedRefusal);
    },
  );

  it.each<readonly [string, object]>([
    ['one address', a('www')],
    ['a CNAME of the apex', { type: 'CNAME', name: '@', content: 'site.example.net' }],
  ])(
    'that keeps a TTL of its own for proxied records says so, and has no drift: %s',
    async (_, record) => {
      const dialect = { ownTtls: 'if-proxied', cnameBesideOthers: 'allow' } as const;
      await using world = await startWorld({ dialect });
      world.emulator.world.registerDomain('example.com');
      const site = registered({ dns: [{ ...record, proxied: true, ttl: 300 }] });
      const kept = 'ttl: the service keeps 1 for a proxied record; remove ttl from the file';
      const { outcome, results } = await runDomains(world, site);
      expect({ outcome, reason: results[0]?.reason }).toEqual({
        outcome: 'synced',
        reason: `new; ${kept}`,
      });
      const planned = await planDomainsOf(world, site);
      expect(planned).toMatchObject({ changes: [], notices: [expect.stringContaining(kept)] });
      expect(world.told).toContainEqual({ type: 'note', text: expect.stringContaining(kept) });
    },
  );

  it('that stores another TTL says which, and what to change, after each apply', async () => {
    await using world = await startWorld({ dialect: { ownTtls: 'below-60' } });
    world.emulator.world.registerDomain('example.com');
    const site = registered({ dns: [{ ...a('www'), ttl: 30 }] });
    const kept = 'ttl: the service keeps 60; remove ttl from the file, or each plan shows it again';
    const first = await runDomains(world, site);
    expect(first.outcome).toBe('unconfirmed');
    expect(warningsTold(world)).toEqual([expect.stringContaining(kept)]);
    const second = await runDomains(world, site);
    expect(second.error).toContain(`the record as it was: ${kept}`);
    expect((await planDomainsOf(world, registered({ dns: [a('www')] }))).changes).toEqual([]);
  });

  it('is shown as the registry sees it', async () => {
    const verdict = { registrable: true, cost: 100, renewalCost: 80, premium: true } as const;
    await using world = await startWorld({ dialect: { availability: () => verdict } });
    const { availability } = await runDomains(world, {}, { check: ['site-0.com'] });
    expect(availability).toMatchObject([{ premium: true, price: 125, renewalPrice: 100 }]);
  });

  it('is priced with whatever markup', async () => {
    await using world = await startWorld({ dialect: { priceMarkup: 2 } });
    const { availability } = await runDomains(world, {}, { check: ['site-0.com'] });
    expect(availability).toMatchObject([{ registrable: true, price: 20.88 }]);
  });
});
