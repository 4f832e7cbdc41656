import { execFileSync } from 'node:child_process';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../dist/run-step.ts';

/**
 * What a runner downloads: GitHub makes its archives in the same way. It is of the working tree, as if all of it were
 * committed.
 */
export function download(): Buffer {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'index-'));
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: root,
      env: { ...process.env, GIT_INDEX_FILE: join(folder.path, 'index') },
      maxBuffer: 2 ** 28,
    });
  git('add', '--all');
  const tree = git('write-tree').toString().trim();
  return git('archive', '--worktree-attributes', tree);
}

/** Unpacks it into a folder, which then holds `action.yml`. */
export function unpackDownload(folder: string): void {
  execFileSync('tar', ['-x', '-f', '-', '-C', folder], { input: download() });
}
