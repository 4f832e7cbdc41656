import { mkdirSync, mkdtempDisposableSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { buildDigest } from '../../scripts/build-digest.ts';

/** A folder with a source, a script, what was built, and what has no part in it. */
function startFolder() {
  const folder = mkdtempDisposableSync(join(tmpdir(), 'build-digest-'));
  const write = (name: string, content: string) => {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    writeFileSync(join(folder.path, name), content);
  };
  const names = ['src/a/b.ts', 'scripts/build.ts', 'dist/index.js', 'package-lock.json'];
  for (const name of [...names, 'tsconfig.build.json', 'docs/page.md']) write(name, name);
  return {
    write,
    remove: (name: string) => rmSync(join(folder.path, name)),
    rename: (from: string, to: string) =>
      renameSync(join(folder.path, from), join(folder.path, to)),
    digest: () => buildDigest(folder.path),
    [Symbol.dispose]: () => folder.remove(),
  };
}

type Folder = ReturnType<typeof startFolder>;

test.each<[string, (folder: Folder) => void]>([
  ['a source changes', ({ write }) => write('src/a/b.ts', 'changed')],
  ['a source is added', ({ write }) => write('src/new.ts', '')],
  ['a source is moved', ({ rename }) => rename('src/a/b.ts', 'src/b.ts')],
  ['a script of the build changes', ({ write }) => write('scripts/build.ts', 'changed')],
  ['a dependency changes', ({ write }) => write('package-lock.json', 'changed')],
  ['an option of the compiler changes', ({ write }) => write('tsconfig.build.json', 'changed')],
  ['a built file changes', ({ write }) => write('dist/index.js', 'changed')],
  ['a built file is gone', ({ remove }) => remove('dist/index.js')],
])('dist/ is built again where %s', (_, change) => {
  using folder = startFolder();
  const before = folder.digest();
  change(folder);
  expect(folder.digest()).not.toBe(before);
});

test('dist/ is not built again where nothing changed that has a part in it', () => {
  using folder = startFolder();
  const before = folder.digest();
  folder.write('docs/page.md', 'changed');
  expect(folder.digest()).toBe(before);
});
