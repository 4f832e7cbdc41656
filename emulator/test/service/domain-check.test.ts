import { expect, test } from 'vitest';
import { type Availability, availabilities } from '../../../src/contract/registered-domain.ts';
import type { DialectOptions } from '../../index.ts';
import { startWorld, type World } from './support.ts';

const path = '/domain/check';

async function check({ send }: World, domains: readonly string[]): Promise<Availability[]> {
  const { status, json, text } = await send('POST', path, { body: { domains } });
  expect(status, text).toBe(200);
  return availabilities.parse(json).results;
}

const pricing = { currency: 'USD', registrationCost: 13.05, renewalCost: 13.05 };
const sold = { registrable: true, premium: false, pricing, registrationPriceMicroUsd: 13_050_000 };
const refusal = (reason: string) => ({ registrable: false, premium: false, reason });

const verdicts = [
  { name: 'brand-new.com', result: sold },
  { name: 'Brand-New.COM', result: sold },
  { name: 'taken.com', result: refusal('taken') },
  { name: 'taken-too.dev', result: refusal('taken') },
  { name: 'left-out.com', result: refusal('no_upstream_result') },
  { name: 'no-quote.com', result: refusal('quote_unusable') },
  { name: 'brand-new.unsold', result: refusal('unsupported_tld') },
  { name: 'brand-new.constructor', result: refusal('unsupported_tld') },
  { name: 'com', result: refusal('invalid_name') },
  { name: 'a b.com', result: refusal('invalid_name') },
  { name: '-a.com', result: refusal('invalid_name') },
  { name: `${'a'.repeat(64)}.com`, result: refusal('invalid_name') },
  { name: '', result: refusal('invalid_name') },
  { name: 'mine.example', result: refusal('taken') },
  {
    name: 'premium.com',
    result: {
      registrable: true,
      premium: true,
      pricing: { currency: 'USD', registrationCost: 3125, renewalCost: 3125 },
      registrationPriceMicroUsd: 3_125_000_000,
    },
  },
];

test('the verdict on a name goes by the name', async () => {
  await using world = await startWorld();
  world.emulator.world.registerDomain('mine.example');
  const names = verdicts.map(({ name }) => name);
  const expected = verdicts.map(({ name, result }) => ({ name, ...result }));
  expect(await check(world, names)).toEqual(expected);
  expect(await check(world, names)).toEqual(expected);
});

test.for<{ name: string; dialect: DialectOptions; result: object }>([
  {
    name: 'only in micro US dollars',
    dialect: { priceFields: 'micro-usd' },
    result: { registrationPriceMicroUsd: 13_050_000 },
  },
  { name: 'only as pricing', dialect: { priceFields: 'pricing' }, result: { pricing } },
  { name: 'not given', dialect: { priceFields: 'neither' }, result: {} },
  {
    name: 'in another currency',
    dialect: { priceCurrency: { code: 'EUR', perUsd: 0.5 } },
    result: {
      pricing: { currency: 'EUR', registrationCost: 6.53, renewalCost: 6.53 },
      registrationPriceMicroUsd: 13_050_000,
    },
  },
  {
    name: 'marked up beside the registry\u2019s own',
    dialect: { pricingIncludesMarkup: false, priceMarkup: 2 },
    result: {
      pricing: { currency: 'USD', registrationCost: 10.44, renewalCost: 10.44 },
      registrationPriceMicroUsd: 20_880_000,
    },
  },
])('a price is $name', async ({ dialect, result }) => {
  await using world = await startWorld({ dialect });
  expect(await check(world, ['new.com'])).toEqual([
    { name: 'new.com', registrable: true, premium: false, ...result },
  ]);
});

test('a test may say what the registry says', async () => {
  await using world = await startWorld({
    dialect: {
      priceMarkup: 1,
      availability: (domain) =>
        domain === 'a.test'
          ? { registrable: true, cost: 5, renewalCost: 80, premium: true }
          : { registrable: false, reason: 'reserved', premium: true },
    },
  });
  expect(await check(world, ['a.test', 'b.test'])).toMatchObject([
    { premium: true, pricing: { registrationCost: 5, renewalCost: 80 } },
    { registrable: false, premium: true, reason: 'reserved' },
  ]);
});

test('each of twenty names has its result, twice if it was asked twice', async () => {
  await using world = await startWorld();
  const { emulator } = world;
  const domains = [...Array.from({ length: 18 }, (_, n) => `n${n}.com`), 'TAKEN.com', 'n0.com'];
  const names = async () => (await check(world, domains)).map(({ name }) => name);
  expect(await names()).toEqual(domains);
  emulator.dialect.checkedNames = 'lower-case';
  expect(await names()).toEqual(domains.map((name) => name.toLowerCase()));
  Object.assign(emulator.dialect, { checkedNames: 'as-given', resultOrder: 'shuffled' });
  const mixed = await names();
  expect(mixed).not.toEqual(domains);
  expect(mixed.toSorted()).toEqual(domains.toSorted());
  expect(await names()).toEqual(mixed);
  emulator.dialect.seed = 2;
  expect(await names()).not.toEqual(mixed);
  expect(emulator.journal.entries.map(({ operation, effect }) => [operation, effect])).toEqual(
    Array(5).fill(['checkDomains', false]),
  );
});
