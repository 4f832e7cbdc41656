import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Row } from './measurement.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');

/** What a runner may have to download, in kilobytes. */
const bound = 450;

const row = (name: string, bytes: number, most?: number): Row => {
  const value = bytes / 1000;
  return { name, unit: 'kB', samples: [most === undefined ? { value } : { value, bound: most }] };
};

const sizeOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + readFileSync(join(dist, file)).length, 0);

/** How large it is: what a runner downloads, as GitHub packs the last commit, and what is loaded of it. */
export async function* size(): AsyncGenerator<Row> {
  const archive = execFileSync('git', ['archive', 'HEAD'], { cwd: root, maxBuffer: 2 ** 28 });
  yield row('a download, packed', gzipSync(archive).length, bound);
  yield row('a download, unpacked', archive.length);
  yield row('dist/, all of it', sizeOf(readdirSync(dist)));
  yield row(
    'dist/, what each step loads first',
    sizeOf(['deploy.js', 'index.js', 'llhttp_simd.wasm']),
  );
}
