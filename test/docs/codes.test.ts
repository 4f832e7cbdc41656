import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readEntries, renderCodes } from '../../scripts/troubleshooting.ts';
import { checkMessage, entries } from '../support/messages.ts';

const codes = entries.map(({ code }) => code);

const sources = globSync('src/**/!(*.test).ts').filter(
  (file) => !/^src[\\/]kernel[\\/]code\.ts$/.test(file),
);
const textOf = (file: string) => readFileSync(file, 'utf8');

describe('docs/troubleshooting.md', () => {
  test('has an entry for each code once, in the order of their numbers', () => {
    expect(codes).toEqual([...new Set(codes)].sort());
    expect(codes.length).toBeGreaterThan(140);
  });

  test('has no entry that no source uses', () => {
    const used = new Set(sources.flatMap((file) => textOf(file).match(/'SD\d{4}'/g) ?? []));
    expect(codes.filter((code) => !used.has(`'${code}'`))).toEqual([]);
  });

  test.each(entries)('$code has a title and whole sentences', ({ title, text }) => {
    expect(title).toMatch(/^[A-Za-z].*[^.]$/);
    expect(text).toMatch(/^[A-Z`].*[.]$/);
  });

  test('has at most 60 words in each entry', () => {
    const long = entries.filter(
      ({ title, text }) => (`${title} ${text}`.match(/\S+/g) ?? []).length > 60,
    );
    expect(long.map(({ code }) => code)).toEqual([]);
  });
});

describe('a message', () => {
  const words = (count: number) => `${Array.from({ length: count }, () => 'word').join(' ')}.`;
  const tooLong = 'A message has too many words';

  test('has at most 35 words before its code', () => {
    checkMessage(`${words(35)} (SD1001)`);
    expect(() => checkMessage(`${words(36)} (SD1001)`)).toThrow(tooLong);
  });

  test('may be longer if it lists several mistakes', () => {
    checkMessage(`2 problems. (1) ${words(30)} (SD1001) (2) ${words(30)} (SD1002)`);
  });

  test('may quote a longer text from outside', () => {
    checkMessage(`Could not: "${words(40)}" is not allowed. (SD1001)`);
    checkMessage(`GET / returned 403: ${words(40)} (request id 1). (SD3403)`);
    checkMessage(`The deployment failed. Build error: ${words(40)} (SD5001)`);
  });
});

describe('the sources', () => {
  test('write no code into a text: it is printed behind it', () => {
    expect(sources.filter((file) => /\(SD\d/.test(textOf(file)))).toEqual([]);
  });

  test('annotate in one place, which takes nothing without a code', () => {
    const annotating =
      /\bcore\.(?:error|warning|setFailed)\(|['"`]::(?:error|warning)|\bannotate\b/;
    const expected = ['src/github/runner/log.ts'];
    expect(sources.filter((file) => annotating.test(textOf(file)))).toEqual(expected);
  });

  test('make a diagnostic by diagnose() alone, which makes whole sentences of its text', () => {
    const making = sources.filter((file) =>
      /\bas (?:unknown as )?Diagnostic\b|\{ code: 'SD\d{4}', text\b/.test(textOf(file)),
    );
    expect(making).toEqual([]);
  });
});

describe('what is generated from docs/troubleshooting.md', () => {
  const page = readFileSync('docs/troubleshooting.md', 'utf8');

  test('is the type of all codes, and nothing else', () => {
    expect(renderCodes(page)).toBe(textOf('src/kernel/code.ts'));
  });

  test.each([
    ['no title', '### SD1001\n\nThe input must be given.\n'],
    ['a title alone', '### SD1001\n\n**A title.**\n'],
    ['a second paragraph', '### SD1001\n\n**A title.** Do it.\n\nAnd more.\n'],
  ])('is refused for an entry with %s', (_what, entry) => {
    expect(() => readEntries(`# A page\n\n## A section\n\n${entry}`)).toThrow('SD1001');
  });
});

const bundle = globSync('dist/**/*.js').map(textOf).join('');

test('a runner loads none of the prose', () => {
  expect(bundle).toContain('SD1001');
  expect(entries.filter(({ text }) => bundle.includes(text))).toEqual([]);
});
