import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { topics } from '../../../src/core/catalogue/topics.ts';
import { checkMessage } from '../../support/messages.ts';

const entries = topics.flatMap(({ entries: all }) => Object.entries(all));
const codes = entries.map(([code]) => code);

const sources = globSync('src/**/*.ts').filter(
  (file) => !/^src[\\/](emulator|core[\\/]catalogue)[\\/]/.test(file),
);
const textOf = (file: string) => readFileSync(file, 'utf8');

/** The pieces of text that a source writes out: what stands between the parts of its templates, and its strings. */
function* wordsIn(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  const { type, value } = node as { type?: string; value?: unknown };
  if (type === 'Literal' && typeof value === 'string') yield value;
  if (type === 'TemplateElement') yield (value as { cooked: string }).cooked;
  for (const child of Object.values(node).flat()) yield* wordsIn(child);
}

/** Shorter pieces stand in many texts. */
const shortest = 5;

describe('the catalogue', () => {
  test('has an entry for each code once, in the order of their numbers', () => {
    expect(codes).toEqual([...new Set(codes)].sort());
    expect(codes.length).toBeGreaterThan(140);
  });

  test('has no entry that no source uses', () => {
    const used = new Set(sources.flatMap((file) => textOf(file).match(/'SD\d{4}'/g) ?? []));
    expect(codes.filter((code) => !used.has(`'${code}'`))).toEqual([]);
  });

  test.each(entries)('%s is whole, and looks as every message must', (code, entry) => {
    expect(entry.title).toMatch(/^[A-Za-z].*[^.]$/);
    for (const prose of [entry.meaning, entry.remedy]) expect(prose).toMatch(/^[A-Z`].*[.]$/);
    expect(entry.example).not.toMatch(/\(SD\d{4}\)/);
    checkMessage(`${entry.example} (${code})`);
  });

  test('shows no example whose words no source has any more', () => {
    const words = sources
      .flatMap((file) => [...wordsIn(parseAst(textOf(file), { lang: 'ts' }))])
      .filter(({ length }) => length >= shortest);
    const pieces = [...new Set(words)].sort((one, other) => other.length - one.length);
    const stale = entries.filter(([, { example }]) => {
      let rest = example;
      for (const piece of pieces) rest = rest.replaceAll(piece.trim(), '');
      return rest.length > 0.55 * example.length;
    });
    expect(stale.map(([code, { example }]) => `${code}: ${example}`)).toEqual([]);
  });
});

describe('the sources', () => {
  test('write no code into a text: only coded() does', () => {
    expect(sources.filter((file) => /\(SD\d/.test(textOf(file)))).toEqual([]);
  });

  test('annotate in one place, which takes nothing without a code', () => {
    const annotating =
      /\bcore\.(?:error|warning|setFailed)\(|['"`]::(?:error|warning)|\bannotate\b/;
    const expected = ['src/github/commands.ts', 'src/github/log.ts'];
    expect(sources.filter((file) => annotating.test(textOf(file)))).toEqual(expected);
  });

  test('take nothing for a message that is none', () => {
    const casting = sources.filter((file) => /\bas (?:unknown as )?Coded\b/.test(textOf(file)));
    expect(casting).toEqual([]);
  });
});

describe('docs/troubleshooting.md', () => {
  const page = readFileSync('docs/troubleshooting.md', 'utf8');

  test.each(entries)('has a heading for %s, and what it means and looks like', (code, entry) => {
    const [, section = ''] = page.split(`\n### ${code}\n`);
    for (const text of Object.values(entry)) expect(section.split('\n### ')[0]).toContain(text);
  });
});

test('a runner loads none of the prose', () => {
  const bundle = globSync('dist/**/*.js').map(textOf).join('');
  expect(bundle).toContain('SD1001');
  expect(entries.filter(([, { meaning }]) => bundle.includes(meaning))).toEqual([]);
});
