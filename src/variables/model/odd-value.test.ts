import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCodePoint } from '../../../test/support/any-text.ts';
import { sources } from '../../../test/support/variables/builders.ts';
import { printed } from '../../kernel/diagnostic.ts';
import { type DesiredSources, gatherDesired } from './desired.ts';

/** The warnings about values of the step's environment, which arrive as they are. */
function warningsOf(stepEnvironment: Record<string, string>, fields: Partial<DesiredSources> = {}) {
  const envFrom = Object.keys(stepEnvironment);
  const { variables, warnings, problems } = gatherDesired(
    sources({ envFrom, stepEnvironment, ...fields }),
  );
  expect(problems).toEqual([]);
  const written = Object.fromEntries(variables.map(({ name, value }) => [name, value]));
  expect(written).toMatchObject(stepEnvironment);
  return warnings.map(printed);
}

const warning = (phrases: string) => [
  `These values are written unchanged, but may have been copied wrong: ${phrases}. (SD1214)`,
];

describe('a value of one line is warned of', () => {
  test.each([
    ['a line break at the end of A', 'fake\n'],
    ['a line break at the end of A', 'fake\r\n'],
    ['a line break at the end of A', 'fake\r'],
    ['a line break at the end of A', 'fake\n\n'],
    ['a line break at the end of A', '\n'],
    ['a line break at the start of A', '\nfake'],
    ['a space at the end of A', 'fake '],
    ['a space at the start of A', ' fake'],
    ['a tab at the end of A', 'fake\t'],
    ['a tab at the start of A', '\tfake'],
    ['an invisible character at the end of A', 'fake\u00a0'],
    ['an invisible character at the end of A', 'fake\u200b'],
    ['an invisible character at the end of A', 'fake\u2028'],
    ['an invisible character at the end of A', 'fake\u001a'],
    ['an invisible character at the start of A', '\ufefffake'],
    ['an invisible character at the start of A', '\u202afake'],
    ['an invisible character at the start of A', '\u200efake'],
    ['an invisible character at the start of A', '\u3000fake'],
    ['quotes around A', '"fake"'],
    ['quotes around A', "'fake'"],
    ['quotes around A', '`fake`'],
    ['NAME= at the start of A', 'A=fake'],
  ])('%s: %j', (phrase, value) => {
    expect(warningsOf({ A: value })).toEqual(warning(phrase));
  });
});

test.each([
  ['nothing odd', 'fake'],
  ['spaces within', 'fake value'],
  ['several lines', 'one\ntwo\n'],
  ['several lines that end in CRLF', 'one\r\ntwo\r\n'],
  ['a key', '-----BEGIN FAKE KEY-----\nZmFrZQ==\n-----END FAKE KEY-----\n'],
  ['several lines with white space around', ' one\ntwo '],
  ['a blank line within', 'one\n\ntwo\n'],
  ['quotes at its edges that are no pair', '"a" or "b"'],
  ['one quote', '"'],
  ['different quotes', `"fake'`],
  ['an equals sign', 'AB=fake'],
  [
    'a flag of emoji at its end',
    'fake \u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  ],
  ['a heart of emoji at its end', 'fake ❤️'],
  ['base64', 'ZmFrZQ=='],
])('a value with %s is not warned of', (_name, value) => {
  expect(warningsOf({ A: value })).toEqual([]);
});

test('one warning lists all variables, by what is odd', () => {
  const told = warningsOf({ A: 'fake\n', B: '"fake"', C: 'fine', D: 'x\n', E: 'E=1', F: 'a\nb\n' });
  const phrases = 'a line break at the end of A, D; quotes around B; NAME= at the start of E';
  expect(told).toEqual(warning(phrases));
});

test('a report of 59 secrets that end in a line break is one warning', () => {
  const names = Array.from({ length: 59 }, (_, index) => `SECRET_${index + 10}`);
  const [first = '', ...others] = warningsOf(Object.fromEntries(names.map((one) => [one, 'x\n'])));
  expect(others).toEqual([]);
  expect(first).toContain('a line break at the end of SECRET_10, SECRET_11, ');
  expect(first).toContain('SECRET_29 and 39 more.');
});

test.each<[string, Partial<DesiredSources>]>([
  ['env', { env: String.raw`A="fake\n"` }],
  ['an env-file', { envFiles: [{ path: '.env', text: 'A="fake\n"' }] }],
  [
    'value: in the site file',
    { siteVariables: [{ name: 'A', value: 'fake\n', kind: 'plain', line: 1, column: 1 }] },
  ],
])('a value of %s is warned of too', (_source, fields) => {
  expect(warningsOf({}, fields)).toEqual(warning('a line break at the end of A'));
});

test('the name of the source before the value is warned of', () => {
  const told = warningsOf(
    {},
    { envFrom: ['A=SOURCE'], stepEnvironment: { SOURCE: 'SOURCE=fake' } },
  );
  expect(told).toEqual(warning('NAME= at the start of A'));
});

test('only the value that is written is warned of', () => {
  const told = warningsOf({ A: 'fake' }, { envFiles: [{ path: '.env', text: 'A="fake "' }] });
  expect(told).toEqual([]);
});

test('no warning has a value', () => {
  const edge = fc.constantFrom('', '\n', ' ', '"', 'A=', '\ufeff');
  const anyValue = fc.tuple(edge, fc.string({ unit: anyCodePoint, maxLength: 5 }), edge);
  fc.assert(
    fc.property(anyValue, ([before, text, after]) => {
      const A = `${before}FAKEVALUE${text.replaceAll('\0', '')}${after}`;
      expect(warningsOf({ A }).join()).not.toContain('FAKEVALUE');
    }),
  );
});
