import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedact, secretParts } from '../../../src/core/text/redact.ts';

const hide = (secret: string, text: string) => createRedact([secret])(text);

const secret = 'fäke "key" +/=?&<%>';
const bytes = Buffer.from(secret);

const unicodeEscape = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The encodings in which a service or a library could hand a secret back. */
function encodings(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const uri = encodeURIComponent(text);
  const base64 = Buffer.from(text).toString('base64');
  return [
    text,
    json,
    json.replaceAll('/', String.raw`\/`),
    json.replace(/[<>&']/g, unicodeEscape),
    JSON.stringify(JSON.stringify(text)).slice(3, -3),
    uri,
    uri.replace(/%../g, (percent) => percent.toLowerCase()),
    new URLSearchParams({ v: text }).toString().slice(2),
    base64,
    base64.replaceAll('=', ''),
    Buffer.from(text).toString('base64url'),
  ];
}

describe('a secret is hidden', () => {
  test.each([
    ['as it is', secret],
    ['in JSON', String.raw`fäke \"key\" +/=?&<%>`],
    ['in JSON with escaped slashes', String.raw`fäke \"key\" +\/=?&<%>`],
    ['in JSON for HTML', String.raw`fäke \"key\" +/=?\u0026\u003c%\u003e`],
    ['in JSON within JSON', String.raw`fäke \\\"key\\\" +/=?&<%>`],
    ['in a path or query', 'f%C3%A4ke%20%22key%22%20%2B%2F%3D%3F%26%3C%25%3E'],
    ['in a path, with lower-case digits', 'f%c3%a4ke%20%22key%22%20%2b%2f%3d%3f%26%3c%25%3e'],
    ['in a form, with lower-case digits', 'f%c3%a4ke+%22key%22+%2b%2f%3d%3f%26%3c%25%3e'],
    ['in a form', 'f%C3%A4ke+%22key%22+%2B%2F%3D%3F%26%3C%25%3E'],
    ['in base64', bytes.toString('base64')],
    ['in base64 without its padding', bytes.toString('base64').replace(/=+$/, '')],
    ['in base64url', bytes.toString('base64url')],
  ])('%s', (_name, form) => {
    expect(hide(secret, `<${form}> and <${form}>`)).toBe('<***> and <***>');
  });

  test('without the white space around it', () => {
    expect(hide('  fake-key\n', 'is fake-key.')).toBe('is ***.');
    expect(hide('\nab\ncd\n', 'is ab\ncd.')).toBe('is ***.');
  });

  test.each([
    ['an apostrophe', "it's-fake", String.raw`it\u0027s-fake`],
    ['a line separator', 'fake\u2028key', String.raw`fake\u2028key`],
    ['a paragraph separator', 'fake\u2029key', String.raw`fake\u2029key`],
  ])('in JSON for HTML, with %s', (_name, hidden, form) => {
    expect(hide(hidden, `<${form}>`)).toBe('<***>');
  });

  test('as a whole, without the white space around its lines together', () => {
    const key = '\n  a1 \n b2\n c3 \n';
    expect(hide(key, 'is a1 \n b2\n c3.')).toBe('is ***.');
    expect(hide(key, JSON.stringify({ is: key.trim() }))).toBe('{"is":"***"}');
    expect(hide(key, Buffer.from(key.trim()).toString('base64'))).toBe('***');
  });

  test('line by line, whatever ends the lines', () => {
    expect(hide('first\r\n second \rthird\nfourth', 'first, second, third, fourth')).toBe(
      '***, ***, ***, ***',
    );
  });

  test('though its characters mean something in a pattern', () => {
    expect(hide('a.c$(b|d)*', 'abc$(b|d)* a.c$(b|d)*')).toBe('abc$(b|d)* ***');
  });

  test('each time that the redactor is used', () => {
    const redact = createRedact(['fake-key']);
    expect([redact('fake-key'), redact('fake-key')]).toEqual(['***', '***']);
  });
});

describe('several secrets', () => {
  test.each([
    ['one that begins with another', ['fake', 'fake-key'], 'fake-key fake', '*** ***'],
    ['one that contains another', ['key1', 'my-key1-is'], 'my-key1-is', '***'],
    ['two that touch', ['fake', 'keys'], 'fakekeys', '***'],
    ['two that do not quite touch', ['fake', 'keys'], 'fake keys', '*** ***'],
    ['one that touches itself', ['fake'], 'fakefake', '***'],
    ['one that overlaps itself', ['abab'], 'is ababab.', 'is ***.'],
    ['two that overlap', ['abcd', 'cdef'], 'is abcdef.', 'is ***.'],
    ['two that overlap, given the other way', ['cdef', 'abcd'], 'is abcdef.', 'is ***.'],
    ['a chain of overlaps', ['abcd', 'cdef', 'efgh'], 'xabcdefghx', 'x***x'],
    [
      'one within another, and a third that overlaps it',
      ['abcdefgh', 'cdef', 'ghij'],
      'abcdefghij',
      '***',
    ],
    ['two encodings that overlap', ['a/b=', '3D&&'], 'a%2Fb%3D%26%26', '***'],
    ['the same twice', ['fake', 'fake'], 'fake', '***'],
    ['none', [], 'fake', 'fake'],
  ])('%s', (_name, secrets, text, redacted) => {
    expect(createRedact(secrets)(text)).toBe(redacted);
  });
});

describe('left alone, for it cannot be hidden', () => {
  test.each(['', 'a', 'abc', ' abc ', 'true', 'FALSE', 'null', ' None '])('"%s"', (text) => {
    expect(secretParts([text])).toEqual([]);
    expect(hide(text, `is ${text}!`)).toBe(`is ${text}!`);
  });

  test('a short line of a long secret', () => {
    expect(hide('{\n  "a": "fake-key"\n}', '{ } "a": "fake-key"')).toBe('{ } ***');
  });
});

test('the parts of a secret are the whole and its lines', () => {
  expect(secretParts(['one two\n  three\nno', 'four'])).toEqual([
    'one two\n  three\nno',
    'one two',
    'three',
    'four',
  ]);
});

// No asterisk: the placeholder itself could then complete a secret.
const anySecret = fc.string({
  unit: fc.constantFrom(...'abc"\'\\/+%&<= .$(ü😀'),
  minLength: 4,
  maxLength: 12,
});

test('no part of any secret is left in any encoding', () => {
  const secretsAndText = fc
    .array(anySecret, { minLength: 1, maxLength: 4 })
    .chain((secrets) =>
      fc.tuple(
        fc.constant(secrets),
        fc.array(
          fc.oneof(fc.constantFrom(...secrets.flatMap(encodings)), fc.string({ maxLength: 3 })),
        ),
      ),
    );
  fc.assert(
    fc.property(secretsAndText, ([secrets, pieces]) => {
      const redacted = createRedact(secrets)(pieces.join(''));
      const forms = secretParts(secrets).flatMap(encodings);
      expect(forms.filter((form) => redacted.includes(form))).toEqual([]);
    }),
  );
});
