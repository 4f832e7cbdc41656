import { globSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const require = createRequire(import.meta.url);
const undici = join(dirname(require.resolve('undici')), 'lib');

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

test("what stands for Node's HTTP has all that undici takes from it, and the same", () => {
  const standIn = require('../../scripts/stand-ins/http.cjs');
  const [first = ''] = usesOf(/require\('node:http'\)/)['core/util.js'] ?? [];
  expect(first).toBe("const { IncomingMessage } = require('node:http')");
  expect(Object.keys(usesOf(/require\('node:http'\)/))).toEqual([
    'core/util.js',
    'dispatcher/client.js',
  ]);
  const names = Object.values(usesOf(/\bhttp\.\w/))
    .flat()
    .flatMap((line) => [...line.matchAll(/\bhttp\.(\w+)/g)].map(([, name]) => name));
  expect(new Set(names)).toEqual(new Set(['maxHeaderSize']));
  expect(standIn.maxHeaderSize).toBe(http.maxHeaderSize);
  // It is only ever compared with the class of a body.
  const compared = Object.values(usesOf(/\bIncomingMessage\b/)).flat();
  expect(compared.slice(1).map((line) => line.trim())).toEqual([
    'if (Object.getPrototypeOf(stream).constructor === IncomingMessage) {',
  ]);
});

test("what stands for Node's assertions fails as they do, and undici calls nothing else of them", () => {
  const standIn = require('../../scripts/stand-ins/assert.cjs');
  expect(() => standIn(true)).not.toThrow();
  expect(() => standIn(0, 'told')).toThrow('told');
  expect(() => standIn(false)).toThrow(expect.objectContaining({ code: 'ERR_ASSERTION' }));
  expect(usesOf(/\bassert\./)).toEqual({});
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
