// Attack (secrets): A ledger is changed, cut, forged, or copied from another project or service
// Defense: It is encrypted (AES-256-GCM) and bound to them. One that doesn't decrypt counts as missing, and is reported

import { describe, expect, test } from 'vitest';
import { rows } from '../../../test/support/exhaustive.ts';
import { ledgerContext, nonce, twoVariables } from '../../../test/support/ledger/builders.ts';
import { decryptLedger, encryptLedger } from './encryption.ts';

const context = ledgerContext();
const sealed = encryptLedger(twoVariables, context, nonce);
const [header = '', body = ''] = sealed.split('\n');
const bytes = Buffer.from(body, 'base64');

/** Each place of so many; few enough of them by a step that meets every bit of a byte. */
const places = (count: number) =>
  rows(
    Array.from({ length: count }, (_, at) => at),
    (at) => at % 11 === 0,
  );

/** The same bytes but for one bit. */
function flip(whole: Buffer, bit: number): Buffer {
  const flipped = Buffer.from(whole);
  flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
  return flipped;
}

describe('damage is found', () => {
  /** A problem; or, where only the spelling of the same sealed bytes changed, the very same ledger. */
  const expectHarmless = (text: string) => {
    const [head, damaged = ''] = text.split('\n');
    const isSame = head === header && Buffer.from(damaged, 'base64').equals(bytes);
    const opened = decryptLedger(text, context);
    if (isSame && 'ledger' in opened) expect(opened.ledger).toEqual(twoVariables);
    else expect(opened).toMatchObject({ problem: expect.any(String) });
  };

  test('wherever it is cut', () => {
    for (let length = 0; length < sealed.length; length += 1)
      expectHarmless(sealed.slice(0, length));
  });

  test('whichever bit of its text is flipped', () => {
    const text = Buffer.from(sealed, 'latin1');
    for (const at of places(text.length * 8)) {
      expectHarmless(flip(text, at).toString('latin1'));
    }
  });

  test('whichever bit of the sealed bytes is flipped, and wherever these are cut', () => {
    for (const at of places(bytes.length * 8)) {
      for (const damaged of [flip(bytes, at), bytes.subarray(0, at >> 3)]) {
        const opened = decryptLedger(`${header}\n${damaged.toString('base64')}\n`, context);
        expect(opened).toMatchObject({ problem: expect.any(String) });
      }
    }
  });
});
