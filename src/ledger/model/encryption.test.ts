import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCodePoint } from '../../../test/support/any-text.ts';
import {
  entryOf,
  ledgerContext,
  nonce,
  twoVariables,
} from '../../../test/support/ledger/builders.ts';
import { decryptLedger, encryptLedger, nonceLength } from './encryption.ts';
import { deriveLedgerKeys } from './keys.ts';
import { fingerprintsOf, type Ledger } from './ledger.ts';

const context = ledgerContext();

describe('a sealed ledger is opened again', () => {
  test.each<[string, Ledger]>([
    ['of nothing', { entries: [] }],
    ['of two variables', twoVariables],
    [
      'with the largest version there is',
      { entries: [entryOf('A', { version: Number.MAX_SAFE_INTEGER })] },
    ],
    ['with names of any letters', { entries: [entryOf('ü😀"\\\n')] }],
    [
      'of 5000 variables',
      { entries: Array.from({ length: 5000 }, (_, index) => entryOf(`V${index}`)) },
    ],
  ])('%s', (_name, ledger) => {
    expect(decryptLedger(encryptLedger(ledger, context, nonce), context)).toEqual({ ledger });
  });

  test('whatever is in it', () => {
    const entry = fc.record({
      id: fc.string({ minLength: 1, unit: anyCodePoint }),
      name: fc.string({ minLength: 1, unit: anyCodePoint }),
      version: fc.maxSafeInteger(),
      fingerprint: fc.string({ minLength: 1 }),
      updatedAt: fc.string({ maxLength: 64 }),
    });
    const ledgers = fc.record({ entries: fc.array(entry) });
    const nonces = fc.uint8Array({ minLength: nonceLength, maxLength: nonceLength });
    fc.assert(
      fc.property(ledgers, nonces, (ledger, random) => {
        const opened = decryptLedger(encryptLedger(ledger, context, random), context);
        expect(opened).toEqual({ ledger: JSON.parse(JSON.stringify(ledger)) });
      }),
    );
  });

  test('with the line ends of another system', () => {
    const sealed = encryptLedger(twoVariables, context, nonce).replaceAll('\n', '\r\n');
    expect(decryptLedger(sealed, context)).toEqual({ ledger: twoVariables });
  });
});

test('a sealed ledger is two lines of ASCII, and another with other random bytes', () => {
  const sealed = encryptLedger(twoVariables, context, nonce);
  expect(sealed).toMatch(/^\{[\x20-\x7e]+\}\n[\w+/]+=*\n$/);
  expect(encryptLedger(twoVariables, context, new Uint8Array(nonceLength))).not.toBe(sealed);
});

test('two seals of one ledger have no part of the sealed text in common', () => {
  const bodyOf = (random: Uint8Array) =>
    encryptLedger(twoVariables, context, random).split('\n')[1] ?? '';
  const one = bodyOf(nonce);
  const other = bodyOf(new Uint8Array(nonceLength));
  const pieces = (text: string) => new Set(text.match(/.{8}/g));
  expect(pieces(one).isDisjointFrom(pieces(other))).toBe(true);
});

describe('a sealed ledger shows', () => {
  const names = ['STRIPE_KEY', 'DATABASE_URL'];
  const fingerprint = fingerprintsOf(context.projectId, context.keys.fingerprint);
  const entries = names.map((name) => {
    const id = `id-of-${name}`;
    const value = `FAKE value of ${name}`;
    return entryOf(name, {
      id,
      fingerprint: fingerprint({ id, name, kind: 'secret', version: 1, value }),
    });
  });
  const sealed = encryptLedger({ entries }, context, nonce);
  const [header = '', body = ''] = sealed.split('\n');

  test.each([
    ['as it is', sealed],
    ['decoded', Buffer.from(body, 'base64').toString('latin1')],
  ])('no name, id, value or fingerprint (%s)', (_name, text) => {
    const hidden = [...names, 'id-of', 'FAKE', 'entries', ...entries.map((one) => one.fingerprint)];
    for (const word of hidden) expect(text).not.toContain(word);
  });

  test('only the project, and which key it was', () => {
    const { projectId, keys } = context;
    expect(JSON.parse(header)).toEqual({
      format: 'site-deploy-action ledger, format 1',
      project: projectId,
      key: keys.id,
    });
    expect(sealed).not.toContain('api.example.com');
  });

  test('as much whatever the value is: its length and text follow from the key alone', () => {
    const sealedOf = (value: string) => {
      const written = { id: 'i', name: 'PIN', kind: 'secret', version: 1, value };
      return encryptLedger(
        { entries: [entryOf('PIN', { fingerprint: fingerprint(written) })] },
        context,
        nonce,
      );
    };
    expect(sealedOf('4711')).toHaveLength(sealedOf('x'.repeat(5120)).length);
    expect(sealedOf('4711').split('\n')[0]).toBe(sealedOf('0815').split('\n')[0]);
  });
});

test('the keys are not in the sealed text', () => {
  const sealed = encryptLedger(twoVariables, context, nonce);
  const { encryption, fingerprint } = deriveLedgerKeys('not-a-real-key');
  for (const key of [encryption, fingerprint]) {
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      expect(sealed).not.toContain(key.toString(encoding));
    }
  }
});
