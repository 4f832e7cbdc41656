import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { testFile } from '../interface/endpoints.ts';

const file = (path: string) => new URL(`../../${path}`, import.meta.url);
const page = readFileSync(file('docs/security.md'), 'utf8');
const named = [...new Set(page.match(/[\w/-]+\.test\.ts/g))];

test('the page on security names tests that exist', () => {
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((path) => !existsSync(file(testFile(path))))).toEqual([]);
});

test.each(page.split('\n').filter((line) => /^\| (?!---|threat|what could)/.test(line)))(
  'a test stands in the row %s',
  (row) => {
    const [, , , shown = ''] = row.split(/(?<!\\)\|/);
    expect(shown).toMatch(/\.test\.ts|"[^"]+"/);
  },
);
