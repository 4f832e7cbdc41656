import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { privateParts, standIns } from '../../scripts/stand-ins/stand-ins.ts';
import { root } from '../support/places.ts';

const require = createRequire(import.meta.url);
const undici = join(dirname(require.resolve('undici')), 'lib');
const folder = join(root, 'scripts/stand-ins');

/** The files of undici, but its `web` and `mock`, and what each says of some module. */
function usesOf(pattern: RegExp): Record<string, string[]> {
  const files = globSync('{api,core,dispatcher,handler,interceptor,util}/**/*.js', {
    cwd: undici,
  }).sort();
  const uses = files.map((file) => {
    const lines = readFileSync(join(undici, file), 'utf8').split('\n');
    return [file, lines.filter((line) => pattern.test(line))] as const;
  });
  return Object.fromEntries(uses.filter(([, lines]) => lines.length > 0));
}

/** Which files ask for a module by exactly this text, and in how many lines. */
const askersOf = (module: string): string[] =>
  Object.entries(usesOf(new RegExp(`require\\('${RegExp.escape(module)}'\\)`))).map(
    ([file, lines]) => `${file} ${lines.length}`,
  );

test.each([
  ['../llhttp/llhttp_simd-wasm.js', ['dispatcher/client-h1.js 1']],
  ['../llhttp/llhttp-wasm.js', ['dispatcher/client-h1.js 2']],
  ['../milo/simd.js', ['dispatcher/parser-h1.js 1']],
  ['../milo/no-simd.js', ['dispatcher/parser-h1.js 1']],
  ['../web/fetch/body.js', ['dispatcher/client-h1.js 1', 'dispatcher/client-h2.js 1']],
  ['../web/fetch/formdata', ['core/request.js 1']],
  ['../web/webidl', ['core/request.js 1']],
])('undici asks for %s by that name, where it is known to', (module, askers) => {
  expect(standIns).toHaveProperty([module]);
  expect(askersOf(module)).toEqual(askers);
});

test("undici asks for Node's modules that something stands for by that name alone", () => {
  const names = /require\(["'`](?:node:)?http2(?:\/\w+)?["'`]\)/g;
  const lines = Object.values(usesOf(names)).flat();
  const asked = lines.flatMap((line) => [...line.matchAll(names)].map(([call]) => call));
  const known = Object.keys(standIns).filter((module) => module.startsWith('node:'));
  expect(new Set(asked)).toEqual(new Set(known.map((module) => `require('${module}')`)));
});

test("undici's experimental parser is asked for by a variable alone, or by whom we are not", () => {
  const asked = usesOf(/\.\.\/milo\/|getMilo ?\(|[gs]etMiloEnabled|UNDICI_USE_MILO|\buseMilo\b/);
  const trimmed = Object.entries(asked).map(([file, lines]) => [
    file,
    lines.map((line) => line.trim()),
  ]);
  expect(Object.fromEntries(trimmed)).toEqual({
    'dispatcher/client-h1.js': [
      "const { H1Parser, getMiloEnabled } = typeof esbuildDetection === 'undefined'",
      "socket[kParser] = typeof esbuildDetection === 'undefined' && (client[kUseMilo] ?? getMiloEnabled())",
    ],
    'dispatcher/client.js': ['useMilo,', 'this[kUseMilo] = useMilo'],
    'dispatcher/parser-h1.js': [
      "process.env.UNDICI_USE_MILO === '1' || process.env.UNDICI_USE_MILO === 'true'",
      'function getMilo () {',
      "miloPackage = require('../milo/simd.js')",
      "miloPackage = miloPackage || require('../milo/no-simd.js')",
      'this.milo = getMilo()',
      'function setMiloEnabled (value) {',
      'function getMiloEnabled () {',
      'module.exports = { H1Parser, getMiloEnabled, setMiloEnabled }',
    ],
  });
  expect(require('undici/lib/dispatcher/parser-h1.js').getMiloEnabled()).toBe(false);
});

test.each(Object.entries(privateParts))('%s is what the whole of undici calls %s', (path, name) => {
  const whole: Record<string, unknown> = require('undici');
  const given = name.split('.').reduce<unknown>((of, key) => Reflect.get(Object(of), key), whole);
  expect(given).toBeTypeOf('function');
  expect(require(path)).toBe(given);
});

test('no other private path is imported, and each has a type', () => {
  const files = globSync('src/**/!(*.test).ts', { cwd: root }).map((name) => join(root, name));
  const code = files.map((file) => readFileSync(file, 'utf8')).join('');
  const said = (pattern: RegExp) => new Set([...code.matchAll(pattern)].map(([, path]) => path));
  const paths = new Set(Object.keys(privateParts));
  expect(said(/from '(undici\/[^']+)'/g)).toEqual(paths);
  expect(said(/declare module '(undici\/[^']+)'/g)).toEqual(paths);
  expect(code).not.toMatch(/import\('undici/);
});

test('dist/ asks for each stand-in, and the folder tells of each, and of each private path', () => {
  const files = globSync('*.js', { cwd: join(root, 'dist') });
  const code = files.map((name) => readFileSync(join(root, 'dist', name), 'utf8')).join('');
  const stood = new Set(Object.values(standIns));
  const asked = [...code.matchAll(/require\([`'"](\.\/[\w-]+\.cjs)[`'"]\)/g)].map(
    ([, name]) => name,
  );
  expect(new Set(asked)).toEqual(stood);
  const own = globSync('*.cjs', { cwd: folder }).map((name) => `./${name}`);
  expect(new Set([...own, './left-out.cjs'])).toEqual(stood);
  const page = readFileSync(join(folder, 'README.md'), 'utf8');
  const all = [
    ...Object.keys(standIns),
    ...own.map((name) => name.slice(2)),
    ...Object.keys(privateParts),
  ];
  expect(all.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  // Each test that it names is there.
  for (const [, file = '', title = ''] of page.matchAll(/`(test\/[^`:]+): ([^`]+)`/g)) {
    expect(readFileSync(join(root, file), 'utf8')).toContain(title);
  }
});

test.for(['llhttp_simd-wasm', 'llhttp-wasm'])(
  "%s of dist/ is undici's parser, byte for byte, and all that its module gives",
  (name) => {
    const parser: Buffer = require(`undici/lib/llhttp/${name}.js`);
    expect(require(`../../dist/${name}.cjs`).equals(parser)).toBe(true);
    expect(parser.length).toBeGreaterThan(10_000);
  },
);

test('what is left out of dist/ is asked for by a body that is a form, and ours are texts', () => {
  const left = usesOf(/require\('\.\.\/web\/(fetch\/body\.js|fetch\/formdata|webidl)'\)/);
  expect(Object.keys(left)).toEqual([
    'core/request.js',
    'dispatcher/client-h1.js',
    'dispatcher/client-h2.js',
  ]);
  // Each within a function, and there behind a look at the body.
  for (const line of Object.values(left).flat()) expect(line).toMatch(/^ {4,}/);
  const forms = usesOf(/isFormDataLike\(|isUndiciFormData\(/);
  expect(
    Object.values(forms)
      .flat()
      .map((line) => line.trim()),
  ).toEqual(
    expect.arrayContaining([
      '} else if (isFormDataLike(body)) {',
      'if (!isUndiciFormData(body)) {',
    ]),
  );
  expect(
    Object.values(forms)
      .flat()
      .filter((line) => line.includes('util.isFormDataLike(body)')),
  ).toHaveLength(2);
});
