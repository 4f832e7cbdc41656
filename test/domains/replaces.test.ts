import { describe, expect, it } from 'vitest';
import { contentsOf, writesTo } from '../support/domains.ts';
import { linesIn, startWorld, type World } from '../support/world.ts';
import { planDomainsOf, runDomains } from './run.ts';

const site = (...dns: object[]) => ({ 'registered-domains': { 'example.com': { dns } } });
const text = (content: string) => ({ type: 'TXT', name: '@', content });
const address = (content: string) => ({ type: 'A', name: 'www', content });
const mail = (content: string, priority: number) => ({ type: 'MX', name: '@', content, priority });

const issuer = (content: string) => ({ type: 'CAA', name: '@', content, flags: 0, tag: 'issue' });

const spf = 'v=spf1 -all';
const verification = 'some-service-verification=fake';

/** A world with one registered domain that has some records which nobody declared. */
async function startZone(...records: { type: string; name: string; content: string }[]) {
  const world = await startWorld();
  const { zone } = world.emulator.world.registerDomain('example.com');
  for (const record of records) zone.put(record);
  return world;
}

const contents = ({ emulator }: World) => contentsOf(emulator, 'example.com');

describe.concurrent('a record that takes the place of another', () => {
  it.each<readonly [string, { type: string; name: string; content: string }[], object, string[]]>([
    [
      'a text of another purpose',
      [text('old'), text(verification)],
      { ...text('new'), replaces: 'old' },
      ['TXT @ new', `TXT @ ${verification}`],
    ],
    [
      'a text in another spelling',
      [text('"old"'), text('other')],
      { ...text('new'), replaces: 'old' },
      ['TXT @ new', 'TXT @ other'],
    ],
    [
      'one of several addresses',
      [address('203.0.113.1'), address('203.0.113.2')],
      { ...address('203.0.113.3'), replaces: '203.0.113.2' },
      ['A www 203.0.113.1', 'A www 203.0.113.3'],
    ],
    [
      'one of two priorities',
      [mail('old.example.net', 10), mail('old.example.net', 20)],
      { ...mail('new.example.net', 10), replaces: { content: 'OLD.example.net.', priority: 20 } },
      ['MX @ new.example.net', 'MX @ old.example.net'],
    ],
    [
      'an issuer in another spelling',
      [issuer('old.example; a=b')],
      { ...issuer('new.example'), replaces: 'OLD.example.;a=b' },
      ['CAA @ new.example'],
    ],
  ])('is written in that place: %s', async (_, there, declared, after) => {
    await using world = await startZone(...there);
    const planned = await planDomainsOf(world, site(declared));
    expect(planned).toMatchObject({ notices: [], changes: [{ action: 'update' }] });
    expect(planned.changes[0]).not.toHaveProperty('unnamed');
    const applied = await runDomains(world, site(declared), {
      gates: { expectedPlan: planned.digest, maxChanges: undefined },
    });
    expect(applied.outcome).toBe('synced');
    expect(contents(world)).toEqual(after);
    expect(writesTo(world.emulator)).toMatchObject([
      { operation: 'updateDnsRecord', body: { record: { name: expect.any(String) } } },
    ]);
    expect(JSON.stringify(writesTo(world.emulator))).not.toContain('replaces');
  });

  it('has a notice once the other is gone: remove the line', async () => {
    await using world = await startZone(text('old'));
    const file = site({ ...text('new'), replaces: 'old' });
    await runDomains(world, file);
    const { changes, notices } = await planDomainsOf(world, file);
    const notice =
      'TXT example.com: replaces: the service has no "old"; remove replaces from the file';
    expect({ changes, notices }).toEqual({ changes: [], notices: [notice] });
    expect(world.told).toContainEqual({ type: 'note', text: notice });
  });

  it('leaves the other where both exist, listed', async () => {
    await using world = await startZone(text('old'), text('new'));
    const { outcome, changes, undeclared, notices } = await runDomains(
      world,
      site({ ...text('new'), replaces: 'old' }),
    );
    expect({ outcome, changes, notices }).toEqual({
      outcome: 'synced',
      changes: [],
      notices: [
        'TXT example.com: replaces: the service has "old", too, and keeps it; delete it there',
      ],
    });
    expect(undeclared).toMatchObject([{ content: 'old' }]);
  });

  it('is created beside the only one if that is not the one it names', async () => {
    await using world = await startZone(address('203.0.113.1'));
    const { outcome, notices } = await runDomains(
      world,
      site({ ...address('203.0.113.2'), replaces: '203.0.113.9' }),
    );
    expect(outcome).toBe('synced');
    expect(notices).toEqual([expect.stringContaining('the service has no "203.0.113.9"')]);
    expect(contents(world)).toEqual(['A www 203.0.113.1', 'A www 203.0.113.2']);
  });

  it('is refused if it names several', async () => {
    await using world = await startZone(mail('old.example.net', 10), mail('old.example.net', 20));
    const { outcome, error } = await runDomains(
      world,
      site({ ...mail('new.example.net', 10), replaces: 'old.example.net' }),
    );
    expect(outcome).toBe('failed');
    expect(error).toContain('replaces fits 2 records on the service');
    expect(writesTo(world.emulator)).toEqual([]);
  });

  it("is refused if it names the service's own", async () => {
    await using world = await startZone();
    const ns = { type: 'NS', name: '@', content: 'ns1.other.example' };
    const { error } = await runDomains(world, site({ ...ns, replaces: 'ns1.dns.sites.example' }));
    expect(error).toContain('the service manages the record');
    expect(writesTo(world.emulator)).toEqual([]);
  });
});

describe.concurrent('without replaces', () => {
  it.each<readonly [string, { type: string; name: string; content: string }, object, string]>([
    ['address', address('203.0.113.1'), address('203.0.113.2'), 'A www 203.0.113.2'],
    ['text of the tag', text('v=spf1 ~all'), text(spf), `TXT @ ${spf}`],
    ['text of the tag in another case', text('V=SPF1 ~all'), text(spf), `TXT @ ${spf}`],
    ['name and value', text('verification=a'), text('verification=b'), 'TXT @ verification=b'],
    [
      'CNAME',
      { ...address('a.example.net'), type: 'CNAME' },
      { ...address('b.example.net'), type: 'CNAME' },
      'CNAME www b.example.net',
    ],
  ])('the only %s is replaced, and the plan says so', async (_, there, declared, after) => {
    await using world = await startZone(there);
    const planned = await planDomainsOf(world, site(declared));
    const reason = `replaces "${there.content}", which this file does not name`;
    expect(planned.changes).toMatchObject([{ action: 'update', unnamed: true }]);
    expect(planned.changes[0]?.reason).toContain(reason);
    expect(world.told.map(linesIn)).toContainEqual(expect.stringMatching(/^! to update/));
    expect((await runDomains(world, site(declared))).outcome).toBe('synced');
    expect(contents(world)).toEqual([after]);
  });

  it('a change of a setting is no replacement', async () => {
    await using world = await startZone(mail('m.example.net', 5));
    const { changes } = await runDomains(world, site(mail('m.example.net', 10)));
    expect(changes).toMatchObject([{ action: 'update' }]);
    expect(changes[0]).not.toHaveProperty('unnamed');
  });

  it.each<readonly [string, { type: string; name: string; content: string }[], object[]]>([
    ['a text without a tag', [text('old')], [text('new')]],
    ['a text of another tag', [text(verification)], [text(spf)]],
    ['one of two texts of a tag', [text('v=x a'), text('v=x b')], [text('v=x c')]],
    [
      'one of two addresses',
      [address('203.0.113.1'), address('203.0.113.2')],
      [address('203.0.113.3')],
    ],
    [
      'one for two in the file',
      [address('203.0.113.1')],
      [address('203.0.113.2'), address('203.0.113.3')],
    ],
    [
      'one for another beside one that stays',
      [address('203.0.113.1'), address('203.0.113.2')],
      [address('203.0.113.1'), address('203.0.113.3')],
    ],
  ])('%s is kept and listed, and the new one created', async (_, there, declared) => {
    await using world = await startZone(...there);
    const { outcome, changes, undeclared } = await runDomains(world, site(...declared));
    expect(outcome).toBe('synced');
    expect(changes.map(({ action }) => action)).not.toContain('update');
    expect(undeclared.length).toBeGreaterThan(0);
    expect(contents(world)).toHaveLength(there.length + changes.length);
  });

  it('a CNAME beside one of two is refused', async () => {
    const cname = (content: string) => ({ type: 'CNAME', name: 'www', content });
    await using world = await startZone(cname('a.example.net'), cname('b.example.net'));
    const { error } = await runDomains(world, site(cname('c.example.net')));
    expect(error).toContain('has CNAME "a.example.net" at this name');
  });

  it('a replacement is first in its list', async () => {
    await using world = await startZone({ type: 'A', name: 'z', content: '203.0.113.1' });
    const { changes } = await planDomainsOf(world, {
      'connected-domains': { 'www.example.org': {} },
      ...site(address('203.0.113.2'), { type: 'A', name: 'z', content: '203.0.113.2' }),
    });
    expect(changes.map(({ name, unnamed = false }) => `${name} ${unnamed}`)).toEqual([
      'A z.example.com "203.0.113.2" true',
      'www.example.org false',
      'A www.example.com "203.0.113.2" false',
    ]);
  });
});
