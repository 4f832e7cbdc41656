import { createHash } from 'node:crypto';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import process from 'node:process';

/** All that `dist/` is built from: also the dependencies as they are installed, which need not be those of the lock file. */
const sources = [
  '{src,scripts}/**/!(*.test.ts)',
  '{LICENSE,package.json,package-lock.json,tsconfig*.json}',
  'node_modules/.package-lock.json',
];

/** The file with the digests of the last build, which each build deletes first. */
const record = 'build/last-build';

function digest(folder: string, patterns: readonly string[]): string {
  const hash = createHash('sha256').update(process.version);
  const files = globSync(patterns, { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of files.sort()) {
    const content = readFileSync(file);
    hash.update(`\0${relative(folder, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** A digest of what `dist/` in a folder is built from. */
export const digestSources = (folder: string): string => digest(folder, sources);

const digestsOf = (folder: string, built: string): string =>
  `${built} ${digest(folder, ['dist/**/*'])}`;

/**
 * Notes that `dist/` in a folder was built.
 *
 * @param built the digest of its sources when the build began: what changed since then is not in it
 */
export function recordBuild(folder: string, built: string): void {
  writeFileSync(join(folder, record), digestsOf(folder, built));
}

/** True if `dist/` in a folder is what its sources give: neither has changed since a build there. */
export function isBuilt(folder: string): boolean {
  try {
    return readFileSync(join(folder, record), 'utf8') === digestsOf(folder, digestSources(folder));
  } catch {
    return false;
  }
}
