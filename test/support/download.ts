import { execFileSync } from 'node:child_process';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './places.ts';

/** Runs git on the working tree, as if all of it were committed, and leaves nothing in the repository. */
function withAll<Result>(work: (git: (...args: string[]) => Buffer) => Result): Result {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'index-'));
  const where = ['rev-parse', '--path-format=absolute', '--git-path', 'objects'];
  const objects = execFileSync('git', where, { cwd: root, encoding: 'utf8' }).trim();
  const own = {
    GIT_INDEX_FILE: join(folder.path, 'index'),
    GIT_OBJECT_DIRECTORY: folder.path,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: objects,
  };
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, env: { ...process.env, ...own }, maxBuffer: 2 ** 28 });
  git('add', '--all');
  return work(git);
}

/** What a runner downloads: GitHub makes its archives in the same way. */
export const download = (): Buffer =>
  withAll((git) => git('archive', '--worktree-attributes', git('write-tree').toString().trim()));

/** Unpacks an archive into a folder. As a stream, since GNU's tar takes the letter of a drive for a machine's name. */
export function unpack(archive: Buffer, folder: string): void {
  execFileSync('tar', ['-x', '-f', '-', '-C', folder], { input: archive });
}

/** Unpacks what a runner downloads into a folder, which then holds `action.yml`. */
export const unpackDownload = (folder: string): void => unpack(download(), folder);

/** Writes all files of the repository into a folder, as a checkout does. */
export const checkOutAll = (folder: string): void =>
  withAll((git) => void git('checkout-index', '--all', `--prefix=${folder}/`));
