import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedact, secretParts } from '../../../src/core/text/redact.ts';

const hide = (secret: string, text: string) => createRedact([secret])(text);

const secret = 'fäke "key" +/=?&<%>';
const bytes = Buffer.from(secret);

const unicodeEscape = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const upperUnicodeEscape = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`;

/** The base64 of a text that follows so many other bytes and is followed by another one. */
const inBase64 = (text: string, before: number): string =>
  Buffer.from(`${'\0'.repeat(before)}${text}~`).toString('base64');

/** What no longer text around it can change in the base64 of a text that begins after so many bytes. */
function stableBase64(text: string, before: number): string {
  const [one, other] = ['\0', '\x7f'].map((byte) =>
    Buffer.from(byte.repeat(before) + text + byte.repeat(3)).toString('base64'),
  );
  const same = Array.from(one ?? '', (character, at) =>
    character === other?.[at] ? character : ' ',
  );
  return same.join('').trim().split(' ').at(0) ?? '';
}

/** The encodings in which a service or a library could hand a secret back. */
function encodings(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1);
  const uri = encodeURIComponent(text);
  const form = new URLSearchParams({ v: text }).toString().slice(2);
  const base64 = Buffer.from(text).toString('base64');
  const base64url = base64.replaceAll('+', '-').replaceAll('/', '_');
  const xml = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const attribute = xml.replaceAll('"', '&quot;');
  return [
    text,
    json,
    json.replaceAll('/', String.raw`\/`),
    json.replace(/[<>&\u2028]/g, unicodeEscape),
    json.replace(/[<>&'\u2028]/g, unicodeEscape),
    json.replace(/[<>&'\u2028]/g, upperUnicodeEscape),
    json.replace(/[^ -~]/g, unicodeEscape),
    json.replace(/[^ -~]/g, upperUnicodeEscape),
    json.replaceAll('/', String.raw`\/`).replace(/[^ -~]/g, unicodeEscape),
    JSON.stringify(JSON.stringify(text)).slice(3, -3),
    uri,
    uri.replace(/%../g, (percent) => percent.toLowerCase()),
    form,
    form.replace(/%../g, (percent) => percent.toLowerCase()),
    xml,
    attribute,
    attribute.replaceAll("'", '&#39;'),
    attribute.replaceAll("'", '&apos;'),
    base64,
    base64.replaceAll('=', ''),
    base64url,
    base64url.replaceAll('=', ''),
  ];
}

describe('a secret is hidden', () => {
  test.each([
    ['as it is', secret],
    ['in JSON', String.raw`fäke \"key\" +/=?&<%>`],
    ['in JSON with escaped slashes', String.raw`fäke \"key\" +\/=?&<%>`],
    ['in JSON for HTML', String.raw`fäke \"key\" +/=?\u0026\u003c%\u003e`],
    ['in JSON for HTML, with capital digits', String.raw`fäke \"key\" +/=?\u0026\u003C%\u003E`],
    ['in JSON of ASCII', String.raw`f\u00e4ke \"key\" +/=?&<%>`],
    ['in JSON of ASCII, with capital digits', String.raw`f\u00E4ke \"key\" +/=?&<%>`],
    ['in JSON of ASCII with escaped slashes', String.raw`f\u00e4ke \"key\" +\/=?&<%>`],
    ['in JSON of ASCII for HTML', String.raw`f\u00e4ke \"key\" +/=?\u0026\u003c%\u003e`],
    ['in JSON within JSON', String.raw`fäke \\\"key\\\" +/=?&<%>`],
    ['in a path or query', 'f%C3%A4ke%20%22key%22%20%2B%2F%3D%3F%26%3C%25%3E'],
    ['in a path, with lower-case digits', 'f%c3%a4ke%20%22key%22%20%2b%2f%3d%3f%26%3c%25%3e'],
    ['in a form, with lower-case digits', 'f%c3%a4ke+%22key%22+%2b%2f%3d%3f%26%3c%25%3e'],
    ['in a form', 'f%C3%A4ke+%22key%22+%2B%2F%3D%3F%26%3C%25%3E'],
    ['in base64', bytes.toString('base64')],
    ['in base64 without its padding', bytes.toString('base64').replace(/=+$/, '')],
    ['in base64url', bytes.toString('base64url')],
    ['in base64url with its padding', `${bytes.toString('base64url')}=`],
    ['in XML', 'fäke "key" +/=?&amp;&lt;%&gt;'],
    ['in an attribute of XML', 'fäke &quot;key&quot; +/=?&amp;&lt;%&gt;'],
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

  test.each([
    ['a numbered entity', 'it&#39;s-fake'],
    ['a named entity', 'it&apos;s-fake'],
  ])('in HTML, with its apostrophe as %s', (_name, form) => {
    expect(hide("it's-fake", `<${form}>`)).toBe('<***>');
  });

  test('in JSON, with a control character in capital digits after an escaped backslash', () => {
    const hidden = '\\u00ab\u001b-fake';
    expect(hide(hidden, String.raw`<\\u00ab\u001B-fake>`)).toBe('<***>');
  });

  test.each([0, 1, 2, 3, 4, 5])(
    'in the base64 of a longer text, after %d other bytes',
    (before) => {
      const stable = stableBase64(secret, before);
      const longer = inBase64(secret, before);
      expect(stable.length).toBeGreaterThanOrEqual(Math.floor((bytes.length * 8) / 6) - 1);
      expect(longer).toContain(stable);
      expect(hide(secret, longer)).toBe(longer.replace(stable, '***'));
      const url = longer.replaceAll('+', '-').replaceAll('/', '_');
      expect(hide(secret, url)).not.toContain(stable.replaceAll('+', '-').replaceAll('/', '_'));
    },
  );

  test('but no piece of base64 that is as short as a word', () => {
    const stable = stableBase64('fakeke', 1);
    expect(stable).toHaveLength(7);
    expect(hide('fakeke', `is ${stable}.`)).toBe(`is ${stable}.`);
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

describe('any number of secrets of any size', () => {
  const lines = (variable: number, count: number) =>
    Array.from({ length: count }, (_, line) => `fake line ${line} of ${variable}`.padEnd(63, '.'));

  test.each([
    ['5,120 emoji', ['😀'.repeat(5120)]],
    ['5,120 ideographs', ['漢'.repeat(5120)]],
    ['200 values of emoji', Array.from({ length: 200 }, (_, n) => `${n}${'😀'.repeat(2500)}`)],
    ['600 lines', [lines(0, 600).join('\n')]],
    ['200 values of 80 lines', Array.from({ length: 200 }, (_, n) => lines(n, 80).join('\n'))],
    ['2,000 that begin alike', Array.from({ length: 2000 }, (_, n) => `${'fake'.repeat(99)}${n}`)],
    ['100 that begin with each other', Array.from({ length: 100 }, (_, n) => 'f'.repeat(n + 8))],
  ])('%s', (_name, secrets) => {
    const redact = createRedact(secrets);
    const shown = secrets.filter((one) =>
      [one, JSON.stringify(one).slice(1, -1), encodeURIComponent(one), stableBase64(one, 1)].some(
        (form) => redact(`<${form}>`) !== '<***>',
      ),
    );
    expect(shown).toEqual([]);
  });
});

// No asterisk: the placeholder itself could then complete a secret.
const anySecret = fc.oneof(
  fc.string({
    unit: fc.constantFrom(...'abcABC"\'\\/+%&<>= .$()[]{}|?^\n\u2028ü漢😀'),
    minLength: 4,
    maxLength: 12,
  }),
  fc
    .tuple(fc.constantFrom('ab', "<'&", '漢', '😀\n'), fc.nat({ max: 3000 }))
    .map(([unit, count]) => unit.repeat(count + 4)),
);

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

test('no part of any secret is left in the base64 of a longer text', () => {
  fc.assert(
    fc.property(anySecret, fc.nat({ max: 5 }), (hidden, before) => {
      const redacted = hide(hidden, inBase64(hidden, before));
      const pieces = secretParts([hidden]).map((part) => stableBase64(part, before));
      const long = pieces.filter((piece) => piece.length >= 8);
      expect(long.filter((piece) => redacted.includes(piece))).toEqual([]);
    }),
  );
});
