import { describe, expect, it } from 'vitest';
import type { DialectOptions, JournalEntry } from '../../emulator/index.ts';
import { writesTo } from '../support/domains.ts';
import { startWorld, type World } from '../support/world.ts';
import { runDomains } from './run.ts';

/** 45 names: each fifth can be registered, the others cannot, each for a reason of its own. */
const kinds = [
  ['Site', 'com', ''],
  ['taken', 'com', 'taken'],
  ['left-out', 'org', 'no_upstream_result'],
  ['no-quote', 'net', 'quote_unusable'],
  ['site', 'nowhere', 'unsupported_tld'],
] as const;
const asked = Array.from({ length: 9 }, (_, index) =>
  kinds.map(([start, end, reason]) => ({ name: `${start}-${index}.${end}`, reason })),
).flat();
const names = asked.map(({ name }) => name);
const sentNames = names.map((name) => name.toLowerCase());

/** The 20 names, at most, of a request. */
const namesOf = ({ body }: JournalEntry): unknown =>
  typeof body === 'object' && body !== null && 'domains' in body ? body.domains : undefined;

const check = (world: World, ...some: string[]) => runDomains(world, {}, { check: some });

describe.concurrent('names that are checked', () => {
  it.each<readonly [string, DialectOptions]>([
    ['as they were asked', {}],
    ['in another order', { resultOrder: 'shuffled' }],
    ['in lower case', { checkedNames: 'lower-case' }],
    ['in another order and in lower case', { resultOrder: 'shuffled', checkedNames: 'lower-case' }],
    ['with fields of its own', { extraFields: true, absentFields: 'omitted' }],
  ])('are asked twenty at a time, of a service that answers %s', async (_, dialect) => {
    await using world = await startWorld({ dialect });
    const { outcome, availability, requests } = await runDomains(world, {}, { check: names });
    expect({ outcome, requests }).toEqual({ outcome: 'synced', requests: 3 });
    const sent = world.emulator.journal.of('checkDomains').map(namesOf);
    expect(sent).toHaveLength(3);
    expect(sent).toEqual(
      expect.arrayContaining([
        sentNames.slice(0, 20),
        sentNames.slice(20, 40),
        sentNames.slice(40),
      ]),
    );
    expect(availability.map(({ name, reason }) => ({ name, reason }))).toEqual(asked);
    expect(availability.map(({ registrable }) => registrable)).toEqual(
      asked.map(({ reason }) => reason === ''),
    );
    // 10.44 USD, with a markup of a quarter.
    expect(availability[0]).toMatchObject({ price: 13.05, renewalPrice: 13.05, premium: false });
    expect(world.emulator.journal.entries.filter(({ effect }) => effect)).toEqual([]);
  });

  it('that the service leaves out of its answer are said to be so', async () => {
    await using world = await startWorld();
    world.emulator.faults.add({
      operation: 'checkDomains',
      kind: 'status',
      status: 200,
      body: JSON.stringify({ results: [{ name: 'B.com', registrable: false, reason: null }] }),
      effect: false,
    });
    const { availability } = await check(world, 'a.com', 'b.com');
    expect(availability).toEqual([
      expect.objectContaining({
        name: 'a.com',
        registrable: false,
        reason: 'missing from the response',
      }),
      expect.objectContaining({ registrable: false, reason: 'no reason given' }),
    ]);
  });

  it('are asked in punycode and once each, and each that was given has its row and its line', async () => {
    await using world = await startWorld();
    const given = ['Bücher.com', 'xn--bcher-kva.com', 'site.com', 'SITE.com.'];
    const { availability } = await check(world, ...given);
    const sent = world.emulator.journal.of('checkDomains').map(namesOf);
    expect(sent).toEqual([['xn--bcher-kva.com', 'site.com']]);
    expect(availability.map(({ name, registrable }) => [name, registrable])).toEqual(
      given.map((name) => [name, true]),
    );
    const notes = world.told.flatMap((one) => (one.type === 'note' ? [one.text] : []));
    expect(notes).toEqual(
      given.map((name) => `${name}: can be registered, 13.05 USD, renewal 13.05 USD`),
    );
  });

  it('that are premium are marked', async () => {
    await using world = await startWorld();
    const { availability } = await check(world, 'premium.com');
    expect(availability).toEqual([expect.objectContaining({ premium: true, price: 3125 })]);
  });
});

const euros = { code: 'EUR', perUsd: 0.9 };

interface Priced {
  name: string;
  dialect: DialectOptions;
  /** The price that is shown of example.com, which costs 13.05 USD. */
  price: number | undefined;
}

const prices: readonly Priced[] = [
  { name: 'both prices', dialect: {}, price: 13.05 },
  { name: 'pricing only', dialect: { priceFields: 'pricing' }, price: 13.05 },
  { name: 'micro-USD only', dialect: { priceFields: 'micro-usd' }, price: 13.05 },
  { name: 'no price', dialect: { priceFields: 'neither' }, price: undefined },
  {
    name: "the registry's price beside the marked-up one",
    dialect: { pricingIncludesMarkup: false },
    price: 13.05,
  },
  {
    name: 'euros only',
    dialect: { priceFields: 'pricing', priceCurrency: euros },
    price: undefined,
  },
  { name: 'euros beside micro-USD', dialect: { priceCurrency: euros }, price: 13.05 },
];

describe.concurrent('max-price, on a service that shows', () => {
  it.each(prices)('$name', async ({ dialect, price }) => {
    await using world = await startWorld({ dialect });
    world.emulator.world.registerDomain('mine.com');
    const site = {
      'registered-domains': {
        'mine.com': { dns: [{ type: 'A', name: '@', content: '203.0.113.10' }] },
      },
    };
    const run = (maxPrice: number) =>
      runDomains(world, site, { check: ['example.com', 'taken.com'], maxPrice });
    const refused = await run(13.04);
    expect(refused.outcome).toBe('failed');
    expect(refused.error).toContain(
      'Nothing was changed: these names cost more than max-price (13.04 USD)',
    );
    const shown = price === undefined ? 'no price in USD' : '13.05 USD';
    expect(refused.error).toContain(`example.com (${shown})`);
    expect(refused.error).not.toContain('taken.com');
    expect(refused.availability).toHaveLength(2);
    expect(writesTo(world.emulator)).toEqual([]);
    expect((await run(13.05)).outcome).toBe(price === undefined ? 'failed' : 'synced');
  });
});
