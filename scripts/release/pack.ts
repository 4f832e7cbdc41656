import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { newestOf } from './changelog.ts';

/** The pages that show how to use the actions, and what else names the account. */
const pages = [
  'README.md',
  'npm/README.md',
  'npm/package.json',
  'docs/**/*.md',
  'examples/**/*.yml',
  'examples/starter/.github/**/*.yml',
];

/** The sentence that explains OWNER, to be removed once it is replaced. */
const whoOwnerIs = /`OWNER` is the account where [^.]*\. /;

/** Replaces OWNER by the account in all pages. Returns the changed files. */
export function fillOwner(folder: string, owner: string): string[] {
  if (!/^[\w-]+$/.test(owner)) throw new Error(`${owner} is not a valid account name`);
  return globSync(pages, { cwd: folder }).filter((file) => {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    const filled = text
      .replaceAll('OWNER/site-deploy-action', `${owner}/site-deploy-action`)
      .replace(whoOwnerIs, '');
    if (filled !== text) writeFileSync(path, filled);
    return filled !== text;
  });
}

/** The archive that a runner downloads; GitHub makes it in the same way. */
export const archiveOf = (folder: string, commit: string): Buffer =>
  execFileSync('git', ['archive', commit], { cwd: folder, maxBuffer: 2 ** 28 });

const kB = (bytes: number) => `${Math.round(bytes / 1000).toLocaleString('en')} kB`;

/** The sizes of the download and of `dist/`, as a table. */
function sizes(folder: string, archive: Buffer): string {
  const scripts = globSync('dist/**', { cwd: folder, withFileTypes: true });
  const dist = scripts
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + readFileSync(join(parentPath, name)).length, 0);
  return [
    '| what | size |',
    '| :-- | --: |',
    `| download of a runner, compressed | ${kB(gzipSync(archive).length)} |`,
    `| \`dist/\`, unpacked | ${kB(dist)} |`,
  ].join('\n');
}

/** @throws Error if the working tree differs from the commit */
function checkClean(folder: string, commit: string): void {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });
  const changed = git('diff', '--name-only', commit, '--');
  const files = `${changed}${git('ls-files', '--others', '--exclude-standard')}`.trim();
  if (files === '') return;
  throw new Error(`The working tree differs from ${commit}: ${files.replaceAll('\n', ', ')}`);
}

/** The files of a release. */
export interface Pack {
  version: string;
  /** The files, in their folder. */
  files: readonly string[];
}

/**
 * Writes the release files of a commit: its archive, the checksums of it and of each file of `dist/`, and the notes.
 *
 * @param bench the measurements, as Markdown
 * @throws Error if the working tree is not that commit
 */
export function pack(folder: string, commit: string, bench: string, to: string): Pack {
  checkClean(folder, commit);
  mkdirSync(to, { recursive: true });
  const { version, text } = newestOf(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8'));
  const archive = archiveOf(folder, commit);
  const name = `site-deploy-action-${version}.tar.gz`;
  writeFileSync(join(to, name), gzipSync(archive));
  const digest = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
  const dist = globSync('dist/*', { cwd: folder }).toSorted();
  const lines = [
    `${digest(join(to, name))}  ${name}`,
    ...dist.map((file) => `${digest(join(folder, file))}  ${file.replaceAll('\\', '/')}`),
  ];
  writeFileSync(join(to, 'checksums.txt'), `${lines.join('\n')}\n`);
  const notes = [text, '## Sizes', sizes(folder, archive), '## Measured', bench.trim()];
  writeFileSync(join(to, 'notes.md'), `${notes.join('\n\n')}\n`);
  return { version, files: [name, 'checksums.txt', 'notes.md'] };
}
