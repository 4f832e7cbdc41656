import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { root } from '../dist/run-step.ts';

/** What a runner may have to download, in bytes. */
const bound = 440_000;

/** What a runner downloads: GitHub makes its archives in the same way. */
const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: root, maxBuffer: 2 ** 28 });

test('a runner downloads the actions and what is said of them, and nothing else', () => {
  const listed = execFileSync('tar', ['-t', '-f', '-'], { input: archive, encoding: 'utf8' });
  const files = listed.split('\n').filter((name) => name !== '' && !name.endsWith('/'));
  const dist = files.filter((name) => name.startsWith('dist/'));
  expect(files.filter((name) => !dist.includes(name))).toEqual([
    'LICENSE',
    'README.md',
    'action.yml',
    'domains/action.yml',
    'env-sync/action.yml',
    'message/action.yml',
    'projects/action.yml',
  ]);
  // What scripts there are is told by test/scripts/stable-names.test.ts.
  expect(dist.filter((name) => !name.endsWith('.js'))).toEqual([
    'dist/http-client.cjs',
    'dist/http2.cjs',
    'dist/licenses.txt',
    'dist/llhttp-wasm.cjs',
    'dist/llhttp.wasm.br',
    'dist/llhttp_simd-wasm.cjs',
    'dist/llhttp_simd.wasm',
    'dist/package.json',
    'dist/undici.cjs',
  ]);
});

test(`a runner downloads at most ${bound / 1000} kB`, () => {
  expect(gzipSync(archive).length).toBeLessThanOrEqual(bound);
});

const folder = join(root, 'dist');
const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
const codes = scripts.map((name) => readFileSync(join(folder, name), 'utf8'));

test('no file of dist/ is there twice, and each is minified', () => {
  // A chunk tells its name in its first words.
  const digests = codes.map((code) =>
    createHash('sha256')
      .update(code.replace(/^.*?exports\.modules/s, ''))
      .digest('hex'),
  );
  expect(new Set(digests).size).toBe(scripts.length);
  for (const [index, code] of codes.entries()) {
    expect(code.split('\n').length, scripts[index]).toBeLessThan(code.length / 500 + 5);
  }
});
