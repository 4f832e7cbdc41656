import { describe, expect, test } from 'vitest';
import { SecretMasker } from '../../runner/masks.ts';

const masked = (secret: string, text: string) => {
  const masker = new SecretMasker();
  masker.addWithLines(secret);
  return masker.mask(text);
};

const secret = `fake "secret" <'a&b'>!`;
const bytes = Buffer.from(secret);

describe('forms of a secret that are masked', () => {
  test.each([
    ['itself', secret],
    ['base64', bytes.toString('base64')],
    ['base64 behind one byte', bytes.subarray(1).toString('base64')],
    ['base64 behind two bytes', bytes.subarray(2).toString('base64')],
    ['JSON', String.raw`fake \"secret\" <'a&b'>!`],
    ['URI', 'fake%20%22secret%22%20%3C%27a%26b%27%3E%21'],
    ['XML', 'fake &quot;secret&quot; &lt;&apos;a&amp;b&apos;&gt;!'],
    ['expression', `fake "secret" <''a&b''>!`],
    ['the part before an ampersand', `fake "secret" <'a&`],
  ])('%s', (_name, form) => {
    expect(masked(secret, `<${form}>`)).toBe('<***>');
  });
});

describe('forms of a secret that are not masked', () => {
  test.each([
    ['hex', bytes.toString('hex')],
    ['another case', secret.toUpperCase()],
  ])('%s', (_name, form) => {
    expect(masked(secret, form)).toBe(form);
  });
});

test('each line of a secret is masked, without the white space around it', () => {
  expect(masked('first-line\r\n  second-line \n\n', 'a first-line b second-line c')).toBe(
    'a *** b *** c',
  );
});

test('there is no minimum length', () => {
  expect(masked('x', 'axb')).toBe('a***b');
});

test('an empty secret masks nothing', () => {
  expect(masked('', 'text')).toBe('text');
});

test('secrets that overlap or touch become one', () => {
  const masker = new SecretMasker();
  for (const value of ['abc', 'cde', 'xyz']) masker.add(value);
  expect(masker.mask('-abcdexyz-abc-')).toBe('-***-***-');
  expect(masker.values).toEqual(['abc', 'cde', 'xyz']);
});

test('a secret that overlaps itself is masked to its end', () => {
  expect(masked('aba', '<ababa>')).toBe('<***>');
});
