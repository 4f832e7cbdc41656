import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/** All that `dist/` is built from, and `dist/` itself. */
const involved = ['{src,scripts,dist}/**/*.*', 'package-lock.json', 'tsconfig*.json'];

/** A digest of what `dist/` in a folder is, and of what it is built from. */
export function buildDigest(folder: string): string {
  const hash = createHash('sha256').update(process.version);
  for (const name of globSync(involved, { cwd: folder }).sort()) {
    const content = readFileSync(join(folder, name));
    hash.update(`\0${name}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}
