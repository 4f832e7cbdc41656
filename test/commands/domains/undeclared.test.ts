import { describe, expect, it } from 'vitest';
import type { EmulatedDnsRecord } from '../../../emulator/index.ts';
import type { DomainsRequest } from '../../../src/domains/domains.ts';
import { emptyLedger } from '../../../src/ledger/model/ledger.ts';
import { contentsOf, writesTo } from '../../support/domains.ts';
import { memoryLedgers } from '../../support/sync.ts';
import { startWorld, type World } from '../../support/world.ts';
import { memoryOf, runDomains, warningsTold } from './run.ts';

const site = (...dns: object[]) => ({ 'registered-domains': { 'example.com': { dns } } });
const text = (content: string) => ({ type: 'TXT', name: '@', content });
const address = (content: string) => ({ type: 'A', name: 'www', content });

const spf = 'v=spf1 -all';
const verification = 'some-service-verification=fake';

/** A world with one registered domain that has some records which nobody declared. */
async function startZone(...records: { type: string; name: string; content: string }[]) {
  const world = await startWorld();
  const { zone } = world.emulator.world.registerDomain('example.com');
  for (const record of records) zone.put(record);
  return { world, zone };
}

/** Runs the command as it is by default. */
const apply = (world: World, file: object, fields: Partial<DomainsRequest> = {}) =>
  runDomains(world, file, { replaceUndeclared: false, ...fields });

/** Has somebody change the record of a type on the service, or the service give its id anew. */
function alter(records: readonly EmulatedDnsRecord[], type: string, fields: object): void {
  const record = records.find((one) => one.type === type);
  if (record === undefined) throw new Error('no record was made');
  Object.assign(record, fields);
}

const contents = ({ emulator }: World) => contentsOf(emulator, 'example.com');

describe.concurrent('the only other text of a name', () => {
  it('is not turned into a declared SPF record: the apply is refused, and says which and what to set', async () => {
    const { world: opened } = await startZone(text(verification));
    await using world = opened;
    const { outcome, error, changes } = await apply(world, site(text(spf)));
    expect(outcome).toBe('failed');
    expect(error).toContain('1 record not in the site file would be replaced');
    expect(error).toContain(
      `TXT example.com "${verification}" → "${spf}". To keep "${verification}", add it`,
    );
    expect(error).toContain('set replace-undeclared: true');
    expect(changes).toMatchObject([{ action: 'update', undeclared: 'unknown-text' }]);
    expect(writesTo(world.emulator)).toEqual([]);
  });

  it('is marked in a plan, which says that it would be refused and does not fail', async () => {
    const { world: opened } = await startZone(text(verification));
    await using world = opened;
    const { outcome, refusal, results } = await apply(world, site(text(spf)), { planOnly: true });
    expect(outcome).toBe('planned');
    expect(refusal).toMatch(/^This plan can't be applied: 1 record not in the site file would be/);
    expect(results[0]?.reason).toMatch(
      /; the existing record is not in the site file: .* and the texts share no tag such as v=spf1$/,
    );
    expect(warningsTold(world)).toEqual([
      expect.stringContaining("This plan can't be applied: 1 record"),
    ]);
  });

  it('stays where the file declares both', async () => {
    const { world: opened } = await startZone(text(verification));
    await using world = opened;
    const { outcome } = await apply(world, site(text(spf), text(verification)));
    expect(outcome).toBe('synced');
    expect(contents(world)).toEqual([`TXT @ ${verification}`, `TXT @ ${spf}`].sort());
  });

  it('is replaced where that is asked for, and known from then on', async () => {
    const { world: opened } = await startZone(text(verification));
    await using world = opened;
    const replaceUndeclared = true;
    const first = await apply(world, site(text(spf)), { replaceUndeclared });
    expect(first.outcome).toBe('synced');
    const second = await apply(world, site(text('no tag at all')));
    expect(second.outcome).toBe('synced');
    expect(contents(world)).toEqual(['TXT @ no tag at all']);
  });
});

describe.concurrent('an ordinary edit is no replacement', () => {
  it.each([
    ['a text of the same tag', text('v=spf1 ~all'), text(spf)],
    ['a text of the same tag in another case', text('V=SPF1 ~all'), text(spf)],
    ['DMARC', text('v=DMARC1; p=none'), text('v=DMARC1; p=reject')],
    ['a name and a value', text('site-verification=a'), text('site-verification=b')],
    [
      'the one CNAME',
      { ...address('a.example.net'), type: 'CNAME' },
      { ...address('b.example.net'), type: 'CNAME' },
    ],
    [
      'another priority',
      { type: 'MX', name: '@', content: 'm.example.net', priority: 5 },
      { type: 'MX', name: '@', content: 'm.example.net', priority: 10 },
    ],
  ])('of %s, without any ledger', async (_, there, declared) => {
    const { world: opened } = await startZone(there);
    await using world = opened;
    const report = await apply(world, site(declared), {
      memory: { ...memoryOf(world), ledgers: memoryLedgers() },
    });
    expect(report).toMatchObject({ outcome: 'synced', changes: [{ action: 'update' }] });
    expect(report.changes[0]).not.toHaveProperty('undeclared');
  });

  it('of what was declared before, whether it was written or found as it is', async () => {
    const { world: opened } = await startZone(address('203.0.113.1'));
    await using world = opened;
    await apply(world, site(address('203.0.113.1'), text('a text')));
    const { outcome } = await apply(world, site(address('203.0.113.2'), text('another')));
    expect(outcome).toBe('synced');
    expect(contents(world)).toEqual(['A www 203.0.113.2', 'TXT @ another']);
  });

  it('of an address that somebody changed at the service', async () => {
    const { world: opened, zone } = await startZone();
    await using world = opened;
    await apply(world, site(address('203.0.113.1')));
    alter(zone.records, 'A', { content: '203.0.113.99' });
    expect((await apply(world, site(address('203.0.113.1')))).outcome).toBe('synced');
    expect(contents(world)).toEqual(['A www 203.0.113.1']);
  });
});

describe.concurrent('what the file did not declare', () => {
  it('is refused without a ledger, of which it says why', async () => {
    const { world: opened } = await startZone(address('203.0.113.1'));
    await using world = opened;
    const { error } = await apply(world, site(address('203.0.113.2')));
    expect(error).toContain('A www.example.com "203.0.113.1" → "203.0.113.2"');
    expect(contents(world)).toEqual(['A www 203.0.113.1']);
  });

  it('was declared by another file only', async () => {
    const { world: opened } = await startZone();
    await using world = opened;
    await apply(world, site(address('203.0.113.1')));
    const memory = { ...memoryOf(world), file: 'other.yml' };
    expect((await apply(world, site(address('203.0.113.2')), { memory })).outcome).toBe('failed');
    expect((await apply(world, site(address('203.0.113.2')))).outcome).toBe('synced');
  });

  it('was taken out of the file before', async () => {
    const { world: opened } = await startZone();
    await using world = opened;
    await apply(world, site(address('203.0.113.1')));
    await apply(world, site());
    expect((await apply(world, site(address('203.0.113.2')))).outcome).toBe('failed');
  });

  it('are two texts of one tag, of which none can be told to be the same', async () => {
    const { world: opened } = await startZone(text('v=x a'), text('v=x b'));
    await using world = opened;
    expect((await apply(world, site(text('v=x c')))).outcome).toBe('failed');
  });

  it('is counted in whole, and named by the first', async () => {
    const many = Array.from({ length: 60 }, (_, index) => ({
      type: 'A',
      name: `n${index}`,
      content: '203.0.113.1',
    }));
    const { world: opened } = await startZone(...many);
    await using world = opened;
    const { error = '' } = await apply(
      world,
      site(...many.map((one) => ({ ...one, content: '203.0.113.2' }))),
    );
    expect(error).toMatch(
      /60 records not in the site file would be replaced, including A n0\.example\.com/,
    );
    expect(error).not.toContain('n1.example.com');
  });
});

/** A world whose ledger says that some id is one of the file's, with the mark of another record. */
async function startLie(lie: (ids: string[], world: World) => [string, string][]) {
  const { world, zone } = await startZone(address('203.0.113.1'), text('ours'));
  await apply(world, site(address('203.0.113.1'), text('ours')));
  const memory = memoryOf(world);
  const ledgers = memoryLedgers();
  const ids = zone.records
    .filter(({ managedReason }) => managedReason === null)
    .map(({ id }) => id);
  const records = lie(ids, world);
  ledgers.kept.set(memory.projectId, {
    ...emptyLedger,
    zones: [{ file: memory.file, domain: 'example.com', records }],
  });
  return { world, zone, memory: { ...memory, ledgers } };
}

describe.concurrent('a ledger that is a lie', () => {
  it.each<readonly [string, (ids: string[]) => [string, string][]]>([
    ['holds the right ids with no mark of theirs', (ids) => ids.map((id) => [id, 'not a mark'])],
    ['holds ids that are not there', () => [['gone', 'not a mark']]],
    [
      'holds names of objects',
      (ids) => [
        ['__proto__', 'x'],
        ['constructor', ids[0] ?? ''],
      ],
    ],
  ])('and %s costs a refusal, and no record', async (_, lie) => {
    const { world: opened, memory } = await startLie(lie);
    await using world = opened;
    const before = contents(world);
    const dns = site(address('203.0.113.2'), text('other'));
    expect((await apply(world, dns, { memory })).outcome).toBe('failed');
    expect(contents(world)).toEqual(before);
  });

  it("and holds the ids of the system's records never writes these", async () => {
    const { world: opened, zone } = await startZone();
    await using world = opened;
    const memory = memoryOf(world);
    const ledgers = memoryLedgers();
    const records = zone.records.map(({ id }): [string, string] => [id, 'x']);
    ledgers.kept.set(memory.projectId, {
      ...emptyLedger,
      zones: [{ file: memory.file, domain: 'example.com', records }],
    });
    const dns = site({ type: 'NS', name: '@', content: 'ns1.other.example' });
    const report = await apply(world, dns, {
      memory: { ...memory, ledgers },
      replaceUndeclared: true,
    });
    expect(report.error).toContain('the service manages the record');
    expect(writesTo(world.emulator)).toEqual([]);
  });
});

describe.concurrent('an id that the service gives anew', () => {
  it("to another text of the name does not make that one the file's", async () => {
    const { world: opened, zone } = await startZone();
    await using world = opened;
    await apply(world, site(text('ours')));
    alter(zone.records, 'TXT', { content: verification });
    const { results, changes } = await apply(world, site(text('ours')), { planOnly: true });
    expect(changes).toMatchObject([{ undeclared: 'other-text' }]);
    expect(results[0]?.reason).toContain(
      'changed outside this action, or the service reused its id',
    );
    expect((await apply(world, site(text('ours')))).outcome).toBe('failed');
    expect(contents(world)).toEqual([`TXT @ ${verification}`]);
  });

  it("to a record of another type or name does not make that one the file's", async () => {
    const { world: opened, zone } = await startZone();
    await using world = opened;
    await apply(world, site(address('203.0.113.1')));
    alter(zone.records, 'A', { name: 'shop' });
    const shop = { type: 'A', name: 'shop', content: '203.0.113.2' };
    expect((await apply(world, site(shop))).outcome).toBe('failed');
  });

  it("to two records makes neither the file's", async () => {
    const { world: opened, zone } = await startZone();
    await using world = opened;
    await apply(world, site(address('203.0.113.1')));
    const [ours] = zone.records.filter(({ type }) => type === 'A');
    const twin = zone.put({ type: 'A', name: 'www', content: '203.0.113.9' });
    alter([twin], 'A', { id: ours?.id });
    expect((await apply(world, site(address('203.0.113.2')))).outcome).toBe('failed');
  });
});
