import fc from 'fast-check';
import { Marked } from 'marked';
import { describe, expect, it, test } from 'vitest';
import { anyCodePoint } from '../../test/support/any-text.ts';
import { runs } from '../../test/support/exhaustive.ts';
import { diagnose, joinDiagnostics } from '../kernel/diagnostic.ts';
import { safe, unsafeText } from '../kernel/text/safe.ts';
import { code, codeCell, plain, quoteMessage, table } from './markdown.ts';

/** What a browser shows of numeric entities. */
const decode = (html: string): string =>
  html.replace(/&#(\d+);/g, (_, digits: string) => String.fromCodePoint(Number(digits)));

const inCode = (html: string): string => html.replace(/^<code>(.*)<\/code>$/s, '$1');

/** No sign by which Markdown or HTML begins something, and GitHub none of its own: the others stand as they are. */
const inert = /^[^*`|<>[\]\\$^~!]*$/u;

const marked = new Marked({ gfm: true });

/** What Markdown's own reader makes of a text that stands at the beginning of a line; tags and all. */
const read = (markdown: string): string => marked.parse(markdown, { async: false });

/** Its words, as long as they are one paragraph and nothing else. */
const wordsOf = (html: string): string | undefined => {
  const [, words] = /^<p>([^<>]*)<\/p>\n$/.exec(html) ?? [];
  const named: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"' };
  return words && decode(words.replace(/&(lt|gt|amp|quot);/g, (_, name) => named[name] ?? ''));
};

/** The text without the joiners that break mentions and references. */
const unbroken = (text: string): string => text.replace(/([@#]|gh-)\u200d+/gi, '$1');

const hostile: [string, string][] = [
  ['a table cell', 'a | b'],
  ['an escaped table cell', String.raw`a \| b`],
  ['a tag', '<img src=x onerror=alert(1)>'],
  ['the end of the code', '</code><b>'],
  ['a comment', '<!-- -->'],
  ['emphasis', '**a** _b_ ~~c~~'],
  ['code', '`a` ``b``'],
  ['a link', '[a](https://a.example)'],
  ['an image', '![a](https://a.example/a.png)'],
  ['an address', 'https://a.example/?a=b#c'],
  ['a mention', '@octocat and @org/team'],
  ['an issue', '#1 owner/name#2 GH-3 gh-4'],
  ['a commit', 'octocat@0123456789abcdef0123456789abcdef01234567 owner/name@0123456'],
  ['an entity', '&lt;script&gt; &#60;'],
  ['a formula', '$a$'],
  ['a heading', '# a'],
  ['a heading below', 'a\n---'],
  ['a list', '- a'],
  ['a numbered list', '1. a'],
  ['a rule', '---'],
  ['a bare address, which would be a link', 'www.a.example'],
  ['an address for mail', 'somebody@a.example'],
  ['lines', 'a\n\n# b\r\n- c'],
];

test.each(hostile)('%s is shown as it is and does nothing', (_name, text) => {
  expect(inCode(code(unsafeText(text)))).toMatch(inert);
  expect(plain(unsafeText(text))).toMatch(inert);
  expect(decode(inCode(code(unsafeText(text))))).toBe(text);
  expect(unbroken(decode(plain(unsafeText(text))))).toBe(text);
});

/** One line of signs that mean something somewhere, words, and digits. */
const line = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'-_.:=+)(*`|<>[]\\\\$^~!#@&/;%\'"{},?'),
      fc.constantFrom(
        ' ',
        ' ',
        'a',
        'b c',
        '1',
        '23',
        '\u00e9',
        '\u652f',
        '\u2026',
        '\ud83d\ude00',
      ),
      fc.constantFrom(
        'www.',
        'http',
        'https://',
        'gh-',
        '1. ',
        '2) ',
        '=',
        '- ',
        'a@b.c',
        '<b>',
        '](x)',
      ),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join('').trim())
  .filter((text) => text !== '');

test.each(['', '> ', '- ', '### x ', 'a ', 'a\n'])('any line is but words, after %j', (begin) => {
  const bare = begin === '' || begin.startsWith('a');
  fc.assert(
    fc.property(line, (text) => {
      const html = read(begin + plain(unsafeText(text)));
      const inner = bare ? html : html.replace(/<\/?(?:blockquote|ul|li|h3)[^>]*>\n?/g, '');
      const words = wordsOf(inner.startsWith('<p>') ? inner : `<p>${inner.trimEnd()}</p>\n`);
      const shown = begin === '### x ' ? `x ${text}` : begin.startsWith('a') ? begin + text : text;
      expect(unbroken(words ?? '')).toBe(unbroken(shown));
    }),
    runs(100),
  );
});

test('any line is but code', () => {
  fc.assert(
    fc.property(line, (text) => {
      const [, shown = ''] =
        /^<p><code>([^<>]*)<\/code><\/p>\n$/.exec(read(code(unsafeText(text)))) ?? [];
      expect(wordsOf(`<p>${shown}</p>\n`)).toBe(text);
    }),
    runs(100),
  );
});

test('a long name may break in a cell, and is whole nevertheless', () => {
  expect(codeCell(unsafeText('STRIPE_KEY'))).toBe('<code>STRIPE_KEY</code>');
  const long = `${'LONG_NAME_'.repeat(11)}\ud83d\ude00 | <b>`;
  const cell = codeCell(unsafeText(long));
  const pieces = inCode(cell).split('<wbr>');
  expect(decode(pieces.join(''))).toBe(long);
  for (const piece of pieces) {
    expect(piece).toMatch(inert);
    expect(decode(piece).length).toBeLessThanOrEqual(17);
  }
});

test('what somebody reads in a mail is written as it is', () => {
  const text = 'Preview of pr-7: could not do STRIPE_KEY (see the docs), 100% sure\u2026';
  expect(plain(unsafeText(text))).toBe(text);
  expect(plain(unsafeText('Preview of #7 is live'))).toBe('Preview of #\u200d7 is live');
});

test('any text is shown as it is and does nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCodePoint }), (text) => {
      expect(inCode(code(unsafeText(text)))).toMatch(inert);
      expect(plain(unsafeText(text))).toMatch(inert);
      expect(decode(inCode(code(unsafeText(text))))).toBe(text);
      expect(unbroken(decode(plain(unsafeText(text))))).toBe(unbroken(text));
    }),
  );
});

test.each([
  ['a mention', 'by @octocat', 'by @\u200doctocat'],
  ['a reference', 'see #12', 'see #\u200d12'],
  ['a reference to another repository', 'octo-org/site#12', 'octo-org/site#\u200d12'],
  ['a reference in words', 'see GH-12', 'see GH-\u200d12'],
  ['a reference in small letters', '(gh-12)', '(gh-\u200d12)'],
  ["a commit of somebody's", 'octocat@0123456', 'octocat@\u200d0123456'],
  ['a commit of another repository', 'octo-org/site@0123456', 'octo-org/site@\u200d0123456'],
])('%s is broken after its sign, so that nobody is told', (_name, text, broken) => {
  expect(decode(plain(unsafeText(text)))).toBe(broken);
});

test('no text gives no code', () => {
  expect(code(unsafeText(''))).toBe('');
});

describe('table', () => {
  test('has a head, a rule and its rows', () => {
    expect(
      table(
        ['a', 'b'],
        [
          ['1', '2'],
          ['3', ''],
        ],
      ),
    ).toBe(['| a | b |', '| :--- | :--- |', '| 1 | 2 |', '| 3 |  |'].join('\n'));
  });

  test('keeps its rows and columns whatever stands in the cells', () => {
    const cell = fc.oneof(
      fc.string({ unit: anyCodePoint }).map((text) => code(unsafeText(text))),
      fc.string({ unit: anyCodePoint }).map((text) => plain(unsafeText(text))),
      fc.constantFrom(...hostile.map(([, text]) => plain(unsafeText(text)))),
    );
    const rows = fc.array(fc.tuple(cell, cell, cell));
    fc.assert(
      fc.property(rows, (cells) => {
        const lines = table(['a', 'b', 'c'], cells).split(/\r\n|\r|\n/);
        expect(lines).toHaveLength(cells.length + 2);
        for (const line of lines) expect(line.split('|')).toHaveLength(5);
      }),
    );
  });
});

describe('an error as a quotation', () => {
  const help = 'https://github.com/OWNER/site-deploy-action/blob/v1/docs/troubleshooting.md';
  const linked = (code: string) => `([${code}](${help}#${code.toLowerCase()}))`;
  const error = diagnose('SD1001', safe`a is empty`);

  it('links its code to its entry', () => {
    expect(quoteMessage(error, help)).toEqual([`> a is empty. ${linked('SD1001')}`]);
  });

  it('links each of several codes, and nothing that only resembles one', () => {
    const both = joinDiagnostics([error, diagnose('SD1002', safe`b (SD12) is [x](y)`)]);
    expect(quoteMessage(both, help)).toEqual([
      `> a is empty. ${linked('SD1001')} b (SD12) is &#91;x&#93;(y). ${linked('SD1002')}`,
    ]);
  });

  it('has the code alone where the page is not known', () => {
    expect(quoteMessage(error)).toEqual(['> a is empty. (SD1001)']);
  });
});
