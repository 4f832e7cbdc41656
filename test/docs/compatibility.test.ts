import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testFile } from '../interface/endpoints.ts';
import { root } from './snippets.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const page = read('docs/compatibility.md');

test('the page on compatibility names tests that exist', () => {
  const named = [...new Set(page.match(/[\w/-]+\.test\.ts/g))];
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((path) => !existsSync(join(root, testFile(path))))).toEqual([]);
});

test('it names the versions that are run', () => {
  const [, act] = /nektos\/act', version: 'v([\d.]+)'/.exec(read('scripts/tools.ts')) ?? [];
  expect(page).toContain(`(https://github.com/nektos/act) ${act},`);
  const { devDependencies } = JSON.parse(read('package.json'));
  expect(page).toContain(`| ${devDependencies.node}. An older one`);
});

test('it names the keys that are taken out for act, and no others', () => {
  const [, list = ''] = /unknownToAct = \[(.*)\]/.exec(read('test/act/run-act.ts')) ?? [];
  const keys = [...list.matchAll(/'\w+\.(\w+)'/g)].map(([, key]) => key);
  const [, said = ''] = /It refuses a workflow with (.*), which/.exec(page) ?? [];
  expect([...said.matchAll(/`(\w+):`/g)].map(([, key]) => key)).toEqual(keys);
});
