import { mkdirSync, mkdtempDisposableSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { digestSources, isBuilt, recordBuild } from '../../scripts/last-build.ts';

const files = [
  'src/a/b.ts',
  'scripts/build.ts',
  'dist/index.js',
  'package-lock.json',
  'node_modules/.package-lock.json',
  'tsconfig.build.json',
  'docs/page.md',
];

/** A folder with sources, what was built, and what has no part in it. */
function startFolder() {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'last-build-'));
  const write = (name: string, content: string) => {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    writeFileSync(join(folder.path, name), content);
  };
  for (const name of files) write(name, name);
  mkdirSync(join(folder.path, 'build'));
  mkdirSync(join(folder.path, 'src/a.folder'));
  return {
    write,
    remove: (name: string) => rmSync(join(folder.path, name)),
    rename: (from: string, to: string) =>
      renameSync(join(folder.path, from), join(folder.path, to)),
    digestSources: () => digestSources(folder.path),
    recordBuild: (built: string) => recordBuild(folder.path, built),
    isBuilt: () => isBuilt(folder.path),
    [Symbol.dispose]: () => folder.remove(),
  };
}

type Folder = ReturnType<typeof startFolder>;

test('dist/ is built once', () => {
  using folder = startFolder();
  expect(folder.isBuilt()).toBe(false);
  folder.recordBuild(folder.digestSources());
  expect(folder.isBuilt()).toBe(true);
});

test.each<[string, (folder: Folder) => void]>([
  ['a source changes', ({ write }) => write('src/a/b.ts', 'changed')],
  ['a source is added', ({ write }) => write('src/new', '')],
  ['a source is moved', ({ rename }) => rename('src/a/b.ts', 'src/b.ts')],
  ['a script of the build changes', ({ write }) => write('scripts/build.ts', 'changed')],
  ['a dependency changes', ({ write }) => write('package-lock.json', 'changed')],
  ['another one is installed', ({ write }) => write('node_modules/.package-lock.json', 'changed')],
  ['an option of the compiler changes', ({ write }) => write('tsconfig.build.json', 'changed')],
  ['a built file changes', ({ write }) => write('dist/index.js', 'changed')],
  ['a built file is gone', ({ remove }) => remove('dist/index.js')],
  ['the last build did not end', ({ remove }) => remove('build/last-build')],
])('dist/ is built again where %s', (_, change) => {
  using folder = startFolder();
  folder.recordBuild(folder.digestSources());
  change(folder);
  expect(folder.isBuilt()).toBe(false);
});

test('dist/ is built again where a source changed during the build', () => {
  using folder = startFolder();
  const built = folder.digestSources();
  folder.write('src/a/b.ts', 'changed');
  folder.recordBuild(built);
  expect(folder.isBuilt()).toBe(false);
});

test('dist/ is not built again where nothing changed that has a part in it', () => {
  using folder = startFolder();
  folder.recordBuild(folder.digestSources());
  folder.write('docs/page.md', 'changed');
  expect(folder.isBuilt()).toBe(true);
});
