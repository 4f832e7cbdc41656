// Attack (secrets): A secret of several lines returns as one line
// Defense: Each line is redacted, and the whole as one line

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rows, runs } from '../../../test/support/exhaustive.ts';
import { createRedact, isPublicValue, secretParts } from './redact.ts';
import { cut, type OwnMarks } from './safe.ts';

const hide = (secret: string, text: string) => createRedact([secret])(text);
const hideCut = (secret: string, text: string, own: OwnMarks) => createRedact([secret])(text, own);

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
    ['in base64 without its padding', bytes.toString('base64').replace(/=+$/, '')],
    ['in base64url', bytes.toString('base64url')],
    ['in hexadecimal', bytes.toString('hex')],
    ['in hexadecimal, with capital digits', bytes.toString('hex').toUpperCase()],
    ['in XML', 'fäke "key" +/=?&amp;&lt;%&gt;'],
    ['in an attribute of XML', 'fäke &quot;key&quot; +/=?&amp;&lt;%&gt;'],
    ['in decimal entities', 'f&#228;ke &#34;key&#34; &#43;&#47;&#61;&#63;&#38;&#60;&#37;&#62;'],
    ['in hexadecimal entities', 'f&#xe4;ke &#x22;key&#X22; &#x2B;/=?&#x0026;&#x3c;%&#x3e;'],
    ['in a URI that keeps what it can', 'f%C3%A4ke%20%22key%22%20+/=?&%3C%25%3E'],
    ['in a URI of which only the blanks are encoded', 'fäke%20"key"%20+/=?&<%>'],
    ['with + for blanks', 'fäke+"key"+%2B/=?&<%>'],
    ['in JavaScript', String.raw`f\u{e4}ke \x22key\x22 +/=?&<%>`],
    ["with a shell's backslashes", String.raw`fäke\ \"key\"\ \+/\=\?\&\<%\>`],
    ['in JSON in a URI', 'f%C3%A4ke%20%5C%22key%5C%22%20%2B%2F%3D%3F%26%3C%25%3E'],
    ['in a URI in HTML', 'f%C3%A4ke%20%22key%22%20+/=?&amp;%3C%25%3E'],
    [
      'in a URI in a URI',
      'f%25C3%25A4ke%2520%2522key%2522%2520%252B%252F%253D%253F%2526%253C%2525%253E',
    ],
  ])('%s', (_name, form) => {
    expect(hide(secret, `<${form}> and <${form}>`)).toBe('<***> and <***>');
  });

  test.each([
    ['base64', bytes.toString('base64')],
    ['base64url', `${bytes.toString('base64url')}=`],
  ])('in %s, but for its padding, which says nothing', (_name, form) => {
    expect(form).toMatch(/[^=]=$/);
    expect(hide(secret, `<${form}> and <${form}>`)).toBe('<***=> and <***=>');
  });

  test.each([
    ["a shell's single quotes", String.raw`it'\''s-fake`],
    ["a shell's other way", `it'"'"'s-fake`],
    ['YAML and SQL', "it''s-fake"],
    ['an entity of a library', 'it&#x27;s-fake'],
    ['a URI by RFC 3986', 'it%27s-fake'],
  ])('with its quote as in %s', (_name, form) => {
    expect(hide("it's-fake", `<${form}>`)).toBe('<***>');
  });

  test('as one line, as a text is cleaned', () => {
    expect(hide('a1\t\tb2\u0000\n c3', 'is a1 b2 c3.')).toBe('is ***.');
  });

  test.each([
    ['an escape of a URI', 'fake %41 key', 'fake%20%41%20key'],
    ['an escape of JSON', String.raw`fake "\n" key`, String.raw`fake \"\n\" key`],
    ['an entity', 'fake "&lt;" key', 'fake &quot;&lt;&quot; key'],
  ])('although it holds what looks like %s, left so', (_name, hidden, form) => {
    expect(hide(hidden, `<${form}>`)).toBe('<***>');
  });

  test('and what is escaped around it stays as it is', () => {
    const text = String.raw`{"a":"\u00fc\n","is":"fake \"key\"","b":"%41&lt;"}`;
    expect(hide('fake "key"', text)).toBe(text.replace(String.raw`fake \"key\"`, '***'));
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
    expect(hide(key, Buffer.from(key.trim()).toString('base64url'))).toBe('***');
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
    ['two encodings that overlap', ['a/b=', 'b=&&'], 'a%2Fb%3D%26%26', '***'],
    ['two ways of writing that touch', ['a/b=', '"c"d'], String.raw`a%2Fb%3D\"c\"d`, '***'],
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

  const sizes: [string, string[]][] = [
    ['5,120 emoji', ['😀'.repeat(5120)]],
    ['5,120 ideographs', ['漢'.repeat(5120)]],
    ['200 values of emoji', Array.from({ length: 200 }, (_, n) => `${n}${'😀'.repeat(2500)}`)],
    ['600 lines', [lines(0, 600).join('\n')]],
    ['200 values of 80 lines', Array.from({ length: 200 }, (_, n) => lines(n, 80).join('\n'))],
    ['2,000 that begin alike', Array.from({ length: 2000 }, (_, n) => `${'fake'.repeat(99)}${n}`)],
    ['100 that begin with each other', Array.from({ length: 100 }, (_, n) => 'f'.repeat(n + 8))],
  ];
  // Each kind of size once: one long value, many lines, and values that begin alike.
  const telling = [0, 3, 6];

  test.each(rows(sizes, (_, index) => telling.includes(index)))('%s', (_name, secrets) => {
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
  // Made once: fast-check prepares a string's characters each time.
  const between = fc.string({ maxLength: 3 });
  const secretsAndText = fc
    .array(anySecret, { minLength: 1, maxLength: 4 })
    .chain((secrets) =>
      fc.tuple(
        fc.constant(secrets),
        fc.array(fc.oneof(fc.constantFrom(...secrets.flatMap(encodings)), between)),
      ),
    );
  fc.assert(
    fc.property(secretsAndText, ([secrets, pieces]) => {
      // A stray backslash right before an escape would be read as a part of it.
      const redacted = createRedact(secrets)(pieces.join(' '));
      const forms = secretParts(secrets).flatMap(encodings);
      expect(forms.filter((form) => redacted.includes(form))).toEqual([]);
    }),
    runs(20),
  );
});

/** Ways of writing a text, each character by itself, so that a part of a text is written as a part of it. */
const ways: ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', String.raw`\/`),
  (text) =>
    JSON.stringify(text)
      .slice(1, -1)
      .replace(/[^ -~]/g, upperUnicodeEscape),
  encodeURIComponent,
  encodeURI,
  (text) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`),
  (text) => encodeURIComponent(text).replaceAll('%20', '+'),
  (text) => text.replace(/[^\w ]/gu, (one) => `&#${one.codePointAt(0)};`),
  (text) => text.replace(/[&<>"']/g, (one) => `&#x${one.codePointAt(0)?.toString(16)};`),
  (text) => text.replace(/[^\w\n]/gu, String.raw`\$&`),
  (text) => text.replaceAll("'", "''"),
  (text) => text.replaceAll("'", String.raw`'\''`),
];

/** Secrets with characters that are written otherwise, and with what looks as if it were. */
const trickySecret = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'abcABC019"\'\\/+%&<>= .$()[]{}|?^!~#;:@,\n\u2028ü漢😀'),
      fc.constantFrom('%41', String.raw`\n`, '&lt;', "''", String.raw`\u`, '&#3'),
    ),
    { minLength: 6, maxLength: 12 },
  )
  .map((units) => `Fake${units.join('')}Key`);

const anyWay = fc.constantFrom(...ways);

test('no secret is left in a text that is written in one way, and that in another', () => {
  const around = fc.constantFrom('<', '"', "it's ", 'a=b&', ' ', '\n', '100%', String.raw`\\ `);
  fc.assert(
    fc.property(trickySecret, anyWay, anyWay, around, around, (hidden, inner, outer, ...edges) => {
      const write = (text: string) => outer(inner(text));
      const [before, after] = edges;
      const redacted = hide(hidden, write(`${before}${hidden}${after}`));
      expect(redacted).toBe(`${write(before)}***${write(after)}`);
    }),
    runs(300),
  );
});

test('where a text is cut, no beginning of a secret is left, of four characters or more', () => {
  fc.assert(
    fc.property(trickySecret, anyWay, fc.nat(), (hidden, write, at) => {
      const written = write(`<${hidden}`);
      const redacted = hideCut(
        hidden,
        cut(`${written} and more`, 2 + (at % written.length)),
        'last',
      );
      expect(redacted).not.toContain(write(hidden.slice(0, 4)));
      expect(redacted).toMatch(/…$/);
    }),
    runs(300),
  );
});

describe('where a text was cut', () => {
  test.each([
    ['the beginning of a secret', 'is fake-ke…', 'is ***…'],
    ['all of it', 'is fake-key…', 'is ***…'],
    ['no more than three characters', 'is fak…', 'is fak…'],
    ['its middle', 'is ake-ke…', 'is ake-ke…'],
    ['its beginning, and a cut elsewhere', 'is fake-ke, and so on…', 'is fake-ke, and so on…'],
    ['several', 'is fake-…, is fake-key, is fake…', 'is ***…, is ***, is ***…'],
    ['in base64', `is ${Buffer.from('fake-key').toString('base64').slice(0, 8)}…`, 'is ***…'],
    ['in hexadecimal', `is ${Buffer.from('fake-key').toString('hex').slice(0, 9)}…`, 'is ***…'],
    ['within an escape', 'is fake%2…', 'is ***…'],
    ['within a character', 'is fake-k\ufffd…', 'is ***…'],
    ['within an escape of the terminal', 'is fake-k\u001b[3…', 'is ***…'],
  ])('%s', (_name, text, redacted) => {
    expect(hideCut('fake-key', text, 'all')).toBe(redacted);
  });

  test.each([
    ['none', 'is fake-…, is fake-k…', 'is fake-…, is fake-k…'],
    ['last', 'is fake-…, is fake-k…', 'is fake-…, is ***…'],
    ['last', 'is fake-…, is fake-k', 'is fake-…, is fake-k'],
    ['all', 'is fake-…, is fake-k…', 'is ***…, is ***…'],
  ] as const)('by us, which is %s of the marks in %s', (own, text, redacted) => {
    expect(hideCut('fake-key', text, own)).toBe(redacted);
  });

  test('the beginning of the longer of two that begin alike', () => {
    expect(createRedact(['fake', 'fake-key'])('is fake-k…', 'last')).toBe('is ***…');
  });
});

test('no part of any secret is left in the base64 of a longer text', () => {
  fc.assert(
    fc.property(anySecret, fc.nat({ max: 5 }), (hidden, before) => {
      const redacted = hide(hidden, inBase64(hidden, before));
      const pieces = secretParts([hidden]).map((part) => stableBase64(part, before));
      const long = pieces.filter((piece) => piece.length >= 8);
      expect(long.filter((piece) => redacted.includes(piece))).toEqual([]);
    }),
    runs(50),
  );
});

const isTold = (hostname: string) => hostname === 'www.example.com';

test.each([
  'www.example.com',
  'https://www.example.com',
  'http://www.example.com',
  'https://www.example.com:8443',
])('the address of a domain that is told is public: %s', (value) => {
  expect(isPublicValue(value, isTold)).toBe(true);
});

test.each([
  ['another domain', 'api.example.com'],
  ['a domain above it', 'example.com'],
  ['a page', 'https://www.example.com/'],
  ['a page with a key', 'https://www.example.com/?key=fake'],
  ['user and password', 'https://user:fake@www.example.com'],
  ['user and password without a scheme', 'user:fake@www.example.com'],
  ['a port without a scheme', 'www.example.com:8443'],
  ['another scheme', 'ftp://www.example.com'],
  ['white space around it', ' www.example.com\n'],
  ['another spelling', 'WWW.example.com'],
  ['words', 'www.example.com is ours'],
  ['nothing', ''],
])('nothing else is: %s', (_name, value) => {
  expect(isPublicValue(value, isTold)).toBe(false);
});
