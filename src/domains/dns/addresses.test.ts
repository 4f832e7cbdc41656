import { describe, expect, test } from 'vitest';
import { declaredRecord, domain, observedRecord } from '../../../test/support/dns/builders.ts';
import { isLoopback } from '../../contract/limits.ts';
import { checkZone } from './check.ts';
import { isAsDeclared, isUnscopedIpv6 } from './content.ts';

/** Each row has spellings of one address; no two rows have the same. */
const addresses: readonly (readonly string[])[] = [
  ['::', '0:0:0:0:0:0:0:0', '0000::0000'],
  ['::1', '0:0:0:0:0:0:0:1', '0000:0000:0000:0000:0000:0000:0000:0001', '::0.0.0.1'],
  ['::1.2.3.4', '::102:304', '0:0:0:0:0:0:1.2.3.4', '::0102:0304'],
  ['::ffff:1.2.3.4', '::FFFF:1.2.3.4', '::ffff:102:304', '0:0:0:0:0:ffff:1.2.3.4'],
  ['::ffff:0:1.2.3.4', '::ffff:0:102:304'],
  ['64:ff9b::1.2.3.4', '64:FF9B::102:304', '0064:ff9b:0:0:0:0:1.2.3.4'],
  ['2001:db8::1', '2001:DB8::1', '2001:0db8:0:0:0:0:0:0001', '2001:db8:0::0:1'],
  ['2001:db8:0:0:1::1', '2001:db8::1:0:0:1'],
  ['1:2:3:4:5:6:7::', '1:2:3:4:5:6:7:0'],
  ['::2:3:4:5:6:7:8', '0:2:3:4:5:6:7:8'],
  ['fe80::1', 'FE80:0::1'],
];

const isSame = (one: string, other: string) =>
  isAsDeclared(
    domain,
    declaredRecord({ type: 'AAAA', content: one }),
    observedRecord({ type: 'AAAA', content: other }),
  );

describe('an IPv6 address', () => {
  const spellings = addresses.flatMap((row, index) => row.map((text) => ({ text, index })));

  test.each(spellings)('$text is one, and the same only as its other spellings', (one) => {
    expect(isUnscopedIpv6(one.text)).toBe(true);
    const same = spellings.filter(({ text }) => isSame(one.text, text));
    expect(same.map(({ text }) => text)).toEqual(addresses[one.index]);
  });

  test.each([
    'fe80::1%eth0',
    'fe80::1%251',
    '2001:00db8::1',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:8::',
    '::g',
    '::1.2.3',
    '::1.2.3.256',
    '::ffff:01.2.3.4',
    '::1.2.3.4:5',
    ':1',
    '[::1]',
    '::1]/[',
    ' ::1',
    '::1\n',
    '1.2.3.4',
    '',
  ])('%j is none', (text) => {
    expect(isUnscopedIpv6(text)).toBe(false);
  });
});

test.each<[text: string, isAddress: boolean]>([
  ['1.2.3.4', true],
  ['255.255.255.255', true],
  ['01.2.3.4', false],
  ['1.2.3', false],
  ['1.2.3.4.5', false],
  ['1.2.3.256', false],
  ['0x1.2.3.4', false],
  ['16909060', false],
  ['1.2.3.4 5', false],
])('whether A may have %j: %s', (content, isAddress) => {
  const { problems } = checkZone(domain, [declaredRecord({ type: 'A', content })]);
  expect(problems.length === 0).toBe(isAddress);
});

test.each([
  ['127.0.0.1', true],
  ['127.1', true],
  ['127.255.255.254', true],
  ['0x7f000001', true],
  ['[::1]', true],
  ['[0:0:0:0:0:0:0:1]', true],
  ['[::0.0.0.1]', true],
  ['[::ffff:127.0.0.1]', false],
  ['[::127.0.0.1]', false],
  ['[::]', false],
  ['0.0.0.0', false],
  ['128.0.0.1', false],
  ['127.0.0.1.example.com', false],
  ['localhost', true],
  ['a.LOCALHOST', true],
  ['localhost.example.com', false],
])('whether %s is this machine: %s', (host, expected) => {
  expect(isLoopback(new URL(`http://${host}:8080/`))).toBe(expected);
});
