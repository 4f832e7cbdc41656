import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import { rooms } from '../lint/rooms.ts';
import { root } from './snippets.ts';

const page = ['CONTRIBUTING.md', 'docs/how-a-deploy-runs.md']
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n');
const src = join(root, 'src');
const files = globSync('**/!(*.test).ts', { cwd: src }).map((path) => path.replaceAll('\\', '/'));

/** The first block that is set in type below a heading. */
const blockBelow = (heading: string): string =>
  page.split(`\n## ${heading}\n`)[1]?.split('```')[1] ?? '';

/** What a file of src/ imports from there, be it by a call or of types. */
function importsOf(file: string): string[] {
  const code = readFileSync(join(src, file), 'utf8');
  const paths = [...code.matchAll(/(?:\bfrom |\bimport\()'(\.[^']+)'/g)].map(
    ([, path = '']) => path,
  );
  return paths.map((path) => posix.join(posix.dirname(file), path));
}

/** The files that a step such as `model/status` may mean. */
const meant = (step: string, among: Iterable<string>): string[] =>
  [...new Set(among)].filter((file) => `/${file}`.endsWith(`/${step}.ts`));

/** The walks of the pages by their names, each without its remarks in parentheses. */
function walks(): Map<string, string> {
  const found = new Map<string, string>();
  let name = '';
  for (const line of blockBelow('How data flows').split('\n')) {
    const [, begun, rest = line] = /^(\S.*?) {2,}(.*)$/.exec(line) ?? [];
    name = begun ?? name;
    found.set(name, `${found.get(name) ?? ''} ${rest.trim()}`);
  }
  return new Map([...found].map(([title, walk]) => [title, walk.replace(/\([^)]*\)/g, '').trim()]));
}

/** Where a step may lead: back into the walk, to what the last file imports, or to any file. */
function reachable(arrow: string, passed: readonly string[]): readonly string[] {
  const from = passed.at(-1);
  if (arrow === '↩') return passed;
  return arrow === '→' && from !== undefined ? importsOf(from) : files;
}

/** What is wrong with the steps of a walk. */
function wrongSteps(walk: string): string[] {
  const passed: string[] = [];
  const wrong: string[] = [];
  for (const [step, arrow = '', name = ''] of walk.matchAll(/([→⇢↩]?) ?([^→⇢↩\s]+)/g)) {
    const from = passed.at(-1) ?? '';
    const [file = '', ...others] = meant(name, reachable(arrow, passed));
    const isImported = arrow === '⇢' && importsOf(from).includes(file);
    if (file === '' || others.length > 0 || isImported) wrong.push(`${from} ${step}`);
    if (file !== '') passed.push(file);
  }
  return wrong;
}

test('each walk follows imports, and says where it does not', () => {
  const wrong = [...walks()].flatMap(([name, walk]) =>
    wrongSteps(walk).map((step) => `${name}: ${step}`),
  );
  expect(wrong).toEqual([]);
  expect([...walks().keys()].join()).toBe(
    ',a secret,a commit,a status,a check,a rollback,an error',
  );
});

test('a walk has at most 12 stops, the deploy ten lines, and each row of the table 60 words', () => {
  for (const walk of walks().values()) expect(walk.split(/\s*[→⇢↩]\s*/).length).toBeLessThan(13);
  const [, lines = ''] = page.split('## A deploy in ten lines');
  expect(lines.split('\n##')[0]?.match(/^\d+\. /gm)).toHaveLength(10);
  const [, rows = ''] = page.split('## To add…');
  for (const row of rows.match(/^\| an? .*$/gm) ?? []) {
    expect(row.split(/\s+/).length, row).toBeLessThan(70);
  }
});

test('the screen of the codebase has each room, and no other', () => {
  const tree = blockBelow('The codebase').split('\n');
  const shown = tree.flatMap((line) => line.slice(0, 22).match(/[a-z][\w-]*(\.ts|\/)/g) ?? []);
  const there = Object.keys(rooms).filter((room) => !room.includes('/'));
  expect(shown.map((room) => room.replace(/\/$/, '')).sort()).toEqual(there.sort());
});

test('each path that the pages name is there', () => {
  const prose = page.replace(/```[\s\S]*?```/g, '');
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  const paths = spans.filter((span) => /^[\w.…/-]+$/.test(span) && /\/|\.(ts|md|yml)$/.test(span));
  const missing = paths
    .filter((path) => !/^(dist|build)\b/.test(path))
    .map((path) => path.replaceAll('…', '*').replace(/\/$/, ''))
    .filter((path) => {
      const where = [path, `{src,test,emulator,scripts}/**/${path}`];
      return globSync(where, { cwd: root }).length === 0;
    });
  expect(missing).toEqual([]);
  expect(paths.length).toBeGreaterThan(40);
});

test('each file of src/ that a decision names is there', () => {
  const decisions = globSync('docs/adr/*.md', { cwd: root });
  const stale = decisions.flatMap((decision) => {
    const text = readFileSync(join(root, decision), 'utf8');
    const named = [...text.matchAll(/`(?:src\/)?([a-z][\w-]*(?:\/[\w-]+)*\/(?:[\w-]+\.ts)?)`/g)];
    const missing = named.filter(([, path = '']) => {
      const where = ['', 'src', 'src/*', 'test', 'scripts'].map((folder) => join(folder, path));
      return globSync(where, { cwd: root }).length === 0;
    });
    return missing.map(([, path]) => `${decision}: ${path}`);
  });
  expect(stale).toEqual([]);
});

test('the decisions are at most 15, each with at most 300 words', () => {
  const decisions = globSync('docs/adr/*.md', { cwd: root });
  const long = decisions.filter(
    (decision) => (readFileSync(join(root, decision), 'utf8').match(/\S+/g) ?? []).length > 300,
  );
  expect(long).toEqual([]);
  expect(decisions.length).toBeLessThanOrEqual(15);
  expect(decisions.length).toBeGreaterThan(10);
});
