import { globSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bundle } from '../../scripts/bundle.ts';
import { chunkNames, numbered } from '../../scripts/stable-names.ts';
import { actions } from '../../src/inputs.ts';
import { root } from '../support/places.ts';

/** Of which the bundler makes a file of its own where two chunks share it. */
const large = (name: string) =>
  `export const ${name} = ${JSON.stringify(`${name} `.repeat(5000))};\n`;

const sources = {
  'main.js': `
    export const run = async () => [
      (await import('./swap/deploy.js')).it, (await import('./push/deploy.js')).it,
      (await import('./push/Brücke (1).js')).it,
    ];`,
  'swap/deploy.js': `import { text } from '../text/large.js'; export const it = 'swap' + text.length;`,
  'push/deploy.js': `import { text } from '../text/large.js'; export const it = 'push' + text.length;`,
  'push/Brücke (1).js': `export const it = 'bridge';`,
  'text/large.js': large('text'),
};

/**
 * Bundles some sources in a folder of their own, and gives the files with what the script then does. The folder has the same
 * path below the repository each time: the bundler's numbers hang on it, and a chunk with one below 5 is an array.
 */
async function bundled(texts: Readonly<Record<string, string>>) {
  const folder = join(root, 'build/stable-names', String(Object.keys(texts).length));
  await rm(folder, { recursive: true, force: true });
  const from = join(folder, 'from');
  for (const [name, text] of Object.entries(texts)) {
    await mkdir(dirname(join(from, name)), { recursive: true });
    await writeFile(join(from, name), text);
  }
  const files = await bundle(join(from, 'main.js'), {});
  const to = join(folder, 'to');
  await mkdir(to);
  await writeFile(join(to, 'package.json'), '{ "type": "commonjs" }');
  for (const [name, text] of files) await writeFile(join(to, name), text);
  const does: unknown = await createRequire(import.meta.url)(join(to, 'index.js')).run();
  return { files, does, leaks: [...files.values()].some((text) => text.includes(folder)) };
}

describe('a chunk', () => {
  test('is called after what is imported by a call, or after what most of it comes from', async () => {
    const { files, does, leaks } = await bundled(sources);
    expect([...files.keys()].sort()).toEqual([
      'index.js',
      'push-Br-cke-1-.js',
      'push-deploy.js',
      'shared-text-large.js',
      'swap-deploy.js',
    ]);
    expect(does).toEqual(['swap25000', 'push25000', 'bridge']);
    expect(leaks).toBe(false);
  });

  test('is the same, name and content, whatever is added elsewhere', async () => {
    const { files } = await bundled(sources);
    const more = { ...sources };
    more['main.js'] = sources['main.js'].replace(
      'async () => [',
      "async () => [ (await import('./added/first.js')).it, (await import('./push/added.js')).it,",
    );
    const added = await bundled({
      ...more,
      'added/first.js': `import { text } from '../text/large.js'; export const it = 'first' + text.length;`,
      'push/added.js': `import { more } from '../text/more.js'; export const it = more.length;`,
      'text/more.js': large('more'),
    });
    expect(added.does).toEqual(['first25000', 25_000, 'swap25000', 'push25000', 'bridge']);
    const others = [...added.files].filter(([name]) => !/index|added/.test(name));
    expect(others).toEqual([...files].filter(([name]) => name !== 'index.js'));
    expect([...added.files.keys()]).toEqual(
      expect.arrayContaining(['added-first.js', 'push-added.js']),
    );
  });

  test('has a digest of its modules in its name, if that has a meaning already', () => {
    const names = chunkNames(
      new Map([
        ['1', { name: 'push-bring', paths: ['push/bring.js'] }],
        ['2', { name: 'Push-Bring', paths: ['push-bring.js'] }],
        ['3', { name: 'index', paths: ['index.js'] }],
        ['4', { name: 'constructor', paths: ['constructor.js'] }],
        ['5', { name: 'push-adopt', paths: ['push/adopt.js'] }],
      ]),
    );
    expect([...names.values()]).toEqual([
      expect.stringMatching(/^push-bring-[0-9a-f]{8}$/),
      expect.stringMatching(/^Push-Bring-[0-9a-f]{8}$/),
      expect.stringMatching(/^index-[0-9a-f]{8}$/),
      expect.stringMatching(/^constructor-[0-9a-f]{8}$/),
      'push-adopt',
    ]);
    expect(new Set([...names.values()].map((name) => name.toLowerCase())).size).toBe(5);
  });
});

describe('a module', () => {
  const paths = Array.from({ length: 4000 }, (_, index) => `deploy/module-${index}.js`);

  test('has a number of its own, and keeps it, whatever else there is', () => {
    const numbers = numbered(paths);
    expect(new Set(numbers.values()).size).toBe(paths.length);
    const alone = (path: string) => numbered([path]).get(path);
    const changed = paths.filter((path) => numbers.get(path) !== alone(path));
    // Those that give way to each other, and both do, whichever comes first.
    expect(changed.length).toBeGreaterThan(0);
    expect(changed.length).toBeLessThan(40);
    expect(numbered(paths.toReversed())).toEqual(
      new Map([...numbers].sort(([a], [b]) => paths.indexOf(b) - paths.indexOf(a))),
    );
  });
});

describe('dist/', () => {
  const scripts = globSync('*.js', { cwd: join(root, 'dist') });
  const entries = ['index.js', 'post.js', ...Object.keys(actions).map((name) => `${name}.js`)];
  const chunks = scripts.filter((name) => !entries.includes(name)).map((name) => name.slice(0, -3));
  const codes = scripts.map((name) => readFileSync(join(root, 'dist', name), 'utf8'));
  const own = globSync('**/!(*.test).ts', { cwd: join(root, 'src') }).map((name) =>
    name.replaceAll('\\', '/').replaceAll('/', '-').replace(/\.ts$/, ''),
  );
  const packages = globSync(['*', '@*/*'], { cwd: join(root, 'node_modules') }).map((name) =>
    name.replaceAll('\\', '/').replace(/^@/, '').replace('/', '-').replace(/\.js$/, ''),
  );

  /** At the end of the names of two chunks of which most comes from the same module. */
  const digest = /-[0-9a-f]{8}$/;

  test('has chunks that are called after what is in them, in letters that every system takes', () => {
    expect(chunks.length).toBeGreaterThan(40);
    expect(chunks.filter((name) => !/^[a-z][a-z0-9.-]*$/.test(name))).toEqual([]);
    const isKnown = (name: string) =>
      own.includes(name) || packages.some((one) => name === one || name.startsWith(`${one}-`));
    const units = chunks.map((name) => name.replace(/^shared-/, '').replace(digest, ''));
    expect(units.filter((name) => !isKnown(name))).toEqual([]);
  });

  test('has no number of the bundler in a chunk', () => {
    for (const file of globSync('dist/*.js', { cwd: root })) {
      const [, ids = ''] =
        /exports\.ids=\[([^\]]*)\]/.exec(readFileSync(join(root, file), 'utf8')) ?? [];
      expect(ids.replaceAll(/[`'"]/g, '').replace(digest, ''), file).not.toMatch(/\d{3}/);
    }
  });

  test('asks for each of them, and for no other', () => {
    const asked = codes.flatMap((code) =>
      [...code.matchAll(/\.e\(([`'"])([^`'"]+)\1\)/g)].map(([, , name = '']) => name),
    );
    expect([...new Set(asked)].sort()).toEqual(chunks.toSorted());
    expect(codes.filter((code) => /\.e\(\d/.test(code))).toEqual([]);
  });

  test('says nowhere where it was built', () => {
    const here = root.replace(/[\\/]$/, '');
    expect(codes.filter((code) => code.includes(here))).toEqual([]);
  });
});
