import { describe, expect, it } from 'vitest';
import { clean } from '../../../test/support/domains/builders.ts';
import type { Availability } from '../../contract/registered-domain.ts';
import {
  availabilityRows,
  checkedNameFault,
  describeAvailability,
  tooExpensive,
} from './availability.ts';

const yes = (name: string, fields: Partial<Availability> = {}): Availability => ({
  name,
  registrable: true,
  ...fields,
});

const usd = (registrationCost: number, renewalCost: number | null = null) => ({
  currency: 'USD',
  registrationCost,
  renewalCost,
});

const rowOf = (result: Availability) => availabilityRows([result.name], [result], clean)[0];

describe('the rows of a check', () => {
  it('come in the order asked, whatever the order and the spelling of the answer', () => {
    const asked = ['B.com', 'a.com', 'bücher.com', 'gone.com'];
    const results = [yes('xn--bcher-kva.com'), yes('A.com.'), yes('b.com'), yes('other.com')];
    const rows = availabilityRows(asked, results, clean);
    expect(rows.map(({ name, registrable }) => [name, registrable])).toEqual([
      ['B.com', true],
      ['a.com', true],
      ['bücher.com', true],
      ['gone.com', false],
    ]);
    expect(rows[3]).toEqual({
      name: 'gone.com',
      registrable: false,
      price: undefined,
      renewalPrice: undefined,
      premium: false,
      reason: 'missing from the response',
    });
  });

  it.each<readonly [string, Partial<Availability>, number | undefined, number | undefined]>([
    ['both', { registrationPriceMicroUsd: 13_050_000, pricing: usd(10.44, 11) }, 13.05, 11],
    ['micro-USD only', { registrationPriceMicroUsd: 13_050_000 }, 13.05, undefined],
    ['nothing', {}, undefined, undefined],
    ['nulls', { registrationPriceMicroUsd: null, pricing: null }, undefined, undefined],
    ['a price of 0', { registrationPriceMicroUsd: 0 }, 0, undefined],
    ['USD in small letters', { pricing: { ...usd(9, 8), currency: 'usd' } }, 9, 8],
    ['euros', { pricing: { ...usd(9, 8), currency: 'EUR' } }, undefined, undefined],
    ['no currency', { pricing: { registrationCost: 9 } }, undefined, undefined],
  ])('show the prices that the service shows in USD: %s', (_, fields, price, renewalPrice) => {
    expect(rowOf(yes('a.com', fields))).toMatchObject({ price, renewalPrice });
  });

  it('say why a name cannot be registered, cleaned', () => {
    expect(rowOf({ name: 'a.com', registrable: false, reason: 'no, SECRET' })).toMatchObject({
      reason: 'no, ***',
    });
    expect(rowOf({ name: 'a.com', registrable: false })).toMatchObject({
      reason: 'no reason given',
    });
    expect(rowOf(yes('a.com', { reason: 'ignored', premium: true }))).toMatchObject({
      reason: '',
      premium: true,
    });
  });

  it("keep the service's result, fields of its own too, with its texts cleaned", () => {
    const result = { ...yes('a.com', { premium: false }), own: { list: ['SECRET', 1, null] } };
    expect(rowOf(result)?.result).toEqual({ ...result, own: { list: ['***', 1, null] } });
  });
});

describe('too dear', () => {
  it.each<readonly [string, Availability, string[]]>([
    ['what costs as much is not', yes('a.com', { pricing: usd(20) }), []],
    ['what costs more is', yes('a.com', { pricing: usd(20.01) }), ['a.com (20.01 USD)']],
    ['what shows no price is', yes('a.com'), ['a.com (no price in USD)']],
    ['what cannot be registered is not', { name: 'a.com', registrable: false }, []],
  ])('%s', (_, result, expected) => {
    expect(tooExpensive(availabilityRows(['a.com'], [result], clean), 20)).toEqual(expected);
  });
});

describe('a name that is to be checked', () => {
  it.each(['example.com', 'Example.COM.', 'bücher.example', 'a-b.co.uk', 'xn--bcher-kva.example'])(
    '%s is one',
    (name) => {
      expect(checkedNameFault(name)).toBeUndefined();
    },
  );

  it.each([
    ['example', 'has no dot'],
    ['https://example.com', 'may contain only'],
    ['a-.com', 'at the edge'],
    ['a..com', 'empty label'],
    ['my site.com', 'may contain only'],
  ])('%s is none', (name, says) => {
    expect(checkedNameFault(name)).toContain(says);
  });
});

describe('a row in a line', () => {
  it.each([
    [
      yes('a.com', { pricing: usd(10, 12), premium: true }),
      'a.com: can be registered, 10.00 USD, renewal 12.00 USD, premium',
    ],
    [yes('a.com'), 'a.com: can be registered, price unknown, renewal price unknown'],
    [{ name: 'a.com', registrable: false, reason: 'taken' }, 'a.com: cannot be registered: taken'],
  ])('%j', (result, line) => {
    const row = rowOf(result);
    expect(row && describeAvailability(row)).toBe(line);
  });
});
