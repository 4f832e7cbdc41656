import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { deriveLedgerKeys } from './keys.ts';

const secret = 'not-a-real-key';
const keys = deriveLedgerKeys(secret);
const hex = ({ fingerprint, encryption, plan, marker, record, id }: typeof keys) => [
  fingerprint.toString('hex'),
  encryption.toString('hex'),
  plan.toString('hex'),
  marker.toString('hex'),
  record.toString('hex'),
  id,
];

test('the keys of a secret have their lengths, and are the same each time', () => {
  expect(keys.fingerprint).toHaveLength(32);
  expect(keys.encryption).toHaveLength(32);
  expect(keys.plan).toHaveLength(32);
  expect(keys.marker).toHaveLength(32);
  expect(keys.record).toHaveLength(32);
  expect(keys.id).toMatch(/^[0-9a-f]{16}$/);
  expect(deriveLedgerKeys(secret)).toEqual(keys);
});

test('each purpose has a key of its own, and none begins like another', () => {
  const heads = hex(keys).map((one) => one.slice(0, 16));
  expect(new Set(heads).size).toBe(6);
});

describe('another secret has other keys', () => {
  test.each(['not-a-real-kez', 'not-a-real-key ', 'Not-a-real-key', ''])('%j', (other) => {
    const mine = hex(keys);
    for (const [index, one] of hex(deriveLedgerKeys(other)).entries()) {
      expect(one).not.toBe(mine[index]);
    }
  });
});

test('what is shown of the key is no plain hash of it', () => {
  for (const algorithm of ['sha256', 'sha512', 'sha1', 'md5']) {
    expect(createHash(algorithm).update(secret).digest('hex')).not.toContain(keys.id);
  }
});

test('a secret of any length and any characters has keys', () => {
  for (const one of ['', 'x'.repeat(100_000), 'ü😀\u0000\n']) {
    expect(deriveLedgerKeys(one).encryption).toHaveLength(32);
  }
});
