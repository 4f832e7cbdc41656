import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCodePoint } from '../../../test/support/any-text.ts';
import { runs } from '../../../test/support/exhaustive.ts';
import { clean, defuse } from './safe.ts';

/** Text with everything that could hurt: controls, escapes, halves of characters, bidi, emoji. */
const hostileText = fc
  .array(
    fc.oneof(
      fc.string({ unit: anyCodePoint, maxLength: 8 }),
      fc.constantFrom('\u001b[31m', '\u009b2J', '\ud83d', '\ude00', '👩‍👩‍👧', '\u202e', '\u2066'),
      fc.constantFrom('\0', '\b', '\r', '\n', '\u2028', '\u0085', '\u00ad', '\ufeff', ' ', 'a'),
    ),
  )
  .map((parts) => parts.join(''));

const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

describe('clean', () => {
  test.each([
    ['an ordinary line', 'Build finished.', 'Build finished.'],
    ['white space at the ends and in between', '  a \t b\n\nc  ', 'a b c'],
    ['colours', '\u001b[1;31mred\u001b[0m', 'red'],
    [
      'a hyperlink of the terminal',
      '\u001b]8;;https://a.example\u0007label\u001b]8;;\u0007',
      'label',
    ],
    ['a hyperlink with the other end', '\u001b]8;;x\u001b\\label\u001b]8;;\u001b\\', 'label'],
    ['a control string without an end, of which the text stays', 'a\u001b]0;title', 'a0;title'],
    ['eight-bit controls', 'a\u009b1mb\u009d0;title\u009cc', 'abc'],
    ['a sequence that breaks off', 'a\u001b[1;2', 'a1;2'],
    ['a choice of character set', 'a\u001b(Bb', 'ab'],
    ['a NUL', 'a\0b', 'a b'],
    ['a carriage return that would overwrite the line', 'failed\rsucceeded', 'failed succeeded'],
    ['text that is shown in reverse', 'a\u202eb\u202cc', 'a b c'],
    ['invisible characters', 'a\u200b\u00ad\ufeffb', 'a b'],
    ['line and paragraph separators', 'a\u2028b\u2029c', 'a b c'],
    ['half a character', 'a\ud83d', 'a\ufffd'],
    ['an emoji that is joined from three', '👩‍👩‍👧', '👩‍👩‍👧'],
    ['nothing but controls', '\0\u0007\u001b', ''],
  ])('%s', (_name, text, cleaned) => {
    expect(clean(text)).toBe(cleaned);
  });

  test.each([
    ['exactly as long as allowed', 'abcd', 'abcd'],
    ['one too long', 'abcde', 'abc…'],
    ['emoji count as one', '😀😀😀😀', '😀😀😀😀'],
    ['emoji are not cut in half', '😀😀😀😀😀', '😀😀😀…'],
    ['short but for a huge tail', `ab${' '.repeat(1000)}`, 'ab…'],
  ])('at most four characters: %s', (_name, text, cleaned) => {
    expect(clean(text, 4)).toBe(cleaned);
  });

  test('cuts at 500 characters unless told otherwise', () => {
    expect(clean('a'.repeat(501))).toBe(`${'a'.repeat(499)}…`);
  });

  test('gives one printable line within its bound, whatever comes', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 20 }), (text, max) => {
        const line = clean(text, max);
        expect(Array.from(line).length).toBeLessThanOrEqual(max);
        expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u);
        expect(line).not.toMatch(bidi);
        expect(clean(line, max)).toBe(line);
      }),
    );
  });
});

/**
 * What the agents of CIs do, told anew: GitHub's reads lines, and finds a command at a line's start or, in the old
 * spelling, anywhere; others do so with a word before the bracket. It is written in .NET, to which U+0085 is white space too.
 */
const holdsCommand = (text: string): boolean =>
  text.split(/\r\n|\r|\n/).some((line) => /^[\s\u0085]*::/.test(line) || /##[\p{L}[]/u.test(line));

const commandText = fc
  .array(
    fc.oneof(
      fc.constantFrom('::', ':', '##[', '##', '#', '[', ']', '\n', '\r', '\r\n', ' ', '\t', '\f'),
      fc.constantFrom(
        '\v',
        '\u0085',
        '\u00a0',
        '\u2028',
        'error',
        'set-output name=a',
        '::stop-commands::x',
      ),
      fc.string({ maxLength: 3 }),
    ),
  )
  .map((parts) => parts.join(''));

describe('defuse', () => {
  test.each([
    ['a command', '::error::x', ': :error::x'],
    ['a command after white space', ' \t::error::x', ' \t: :error::x'],
    ['a command on the second line', 'a\n::error::x', 'a\n: :error::x'],
    ['a command after CRLF', 'a\r\n::error::x', 'a\r\n: :error::x'],
    ['a command after a lone carriage return', 'a\r::error::x', 'a\r: :error::x'],
    ['a command after a next-line character', '\u0085::error::x', '\u0085: :error::x'],
    [
      'a command after a next-line character and white space',
      'a\n \u0085\t::error::x',
      'a\n \u0085\t: :error::x',
    ],
    ['a command after an empty line', '\n\n ::error::x', '\n\n : :error::x'],
    ['the old spelling within a line', 'a ##[error]x', 'a ## [error]x'],
    ['the old spelling twice', '##[a]##[b]', '## [a]## [b]'],
    ['a command of Azure Pipelines', 'a ##vso[task.complete]', 'a ## vso[task.complete]'],
    ['a command of TeamCity', "###teamcity[x 'y']", "### teamcity[x 'y']"],
    ['colons within a line, which are no command', 'std::string', 'std::string'],
    ['a heading, which is no command', '## [a', '## [a'],
  ])('%s', (_name, text, harmless) => {
    expect(defuse(text)).toBe(harmless);
  });

  test('leaves no command, and text without a command alone', () => {
    fc.assert(
      fc.property(commandText, (text) => {
        const harmless = defuse(text);
        expect(holdsCommand(harmless)).toBe(false);
        if (!holdsCommand(text)) expect(harmless).toBe(text);
        expect(defuse(harmless)).toBe(harmless);
      }),
      runs(100),
    );
  });
});
