import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Row } from './measurement.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

const sizeOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + readFileSync(join(dist, file)).length, 0) / 1000;

/** How large it is: what a runner downloads, as GitHub packs the last commit, and what is loaded of it. */
export async function* size(): AsyncGenerator<Row> {
  const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: root, maxBuffer: 2 ** 28 });
  const packed = gzipSync(archive).length / 1000;
  yield { name: 'download, packed', unit: 'kB', values: [packed], bound: 440 };
  yield { name: 'download, unpacked', unit: 'kB', values: [archive.length / 1000] };
  yield { name: '`dist/`', unit: 'kB', values: [sizeOf(readdirSync(dist))] };
  const first = sizeOf(['deploy.js', 'index.js', 'llhttp_simd.wasm']);
  yield { name: '`dist/`, what each step loads first', unit: 'kB', values: [first] };
}
