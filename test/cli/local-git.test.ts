// Attack (command): The settings of a repository name programs, which git runs while a run reads its commit
// Defense: Git is not run: only files are read. For a `commit-sha` of fewer than 40 digits, git runs in an empty
// repository of its own, as for a push

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCommitLack, readGitReference, readLocalGit } from '../../src/cli/local-git.ts';

const git = (folder: string, ...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', ...args], {
    cwd: folder,
    encoding: 'utf8',
  }).trim();

/** A repository with a commit. */
function repository(folder: string): string {
  const path = join(folder, 'repository');
  mkdirSync(path);
  git(path, 'init', '--quiet', '--initial-branch=topic/one');
  git(path, 'commit', '--quiet', '--allow-empty', '--message=One');
  return path;
}

describe('the repository of the current folder', () => {
  it('has a commit, a branch and the URL of its remote', async () => {
    using temporary = mkdtempDisposableSync(join(tmpdir(), 'local-git-'));
    const root = repository(temporary.path);
    git(root, 'remote', 'add', 'other', 'https://example.com/other.git');
    git(root, 'remote', 'add', 'origin', 'https://example.com/owner/name.git');
    const below = join(root, 'a/b');
    mkdirSync(below, { recursive: true });
    const known = {
      root,
      commitSha: git(root, 'rev-parse', 'HEAD'),
      branch: 'topic/one',
      cloneUrl: 'https://example.com/owner/name.git',
    };
    expect(await readLocalGit(below)).toEqual(known);
    git(root, 'pack-refs', '--all');
    expect(await readLocalGit(root)).toEqual(known);
    git(root, 'checkout', '--quiet', '--detach');
    const { branch: _, ...detached } = known;
    expect(await readLocalGit(root)).toEqual(detached);
  });

  it('has references of other names, in files of their own or packed', async () => {
    using temporary = mkdtempDisposableSync(join(tmpdir(), 'local-git-'));
    const root = repository(temporary.path);
    const name = 'refs/remotes/origin/PR-12';
    const commit = git(root, 'rev-parse', 'HEAD');
    git(root, 'update-ref', name, commit);
    writeFileSync(join(temporary.path, 'outside'), commit);
    expect(await readGitReference(root, name)).toBe(commit);
    git(root, 'pack-refs', '--all');
    expect(await readGitReference(root, name)).toBe(commit);
    for (const other of ['refs/remotes/origin/PR-1', 'HEAD', 'refs/../../../outside', 'config']) {
      expect(await readGitReference(root, other)).toBeUndefined();
    }
    expect(await readGitReference(temporary.path, name)).toBeUndefined();
  });

  it('may be a worktree of another', async () => {
    using temporary = mkdtempDisposableSync(join(tmpdir(), 'local-git-'));
    const whole = repository(temporary.path);
    const root = join(temporary.path, 'worktree');
    git(whole, 'worktree', 'add', '--quiet', '-b', 'two', root);
    const commitSha = git(whole, 'rev-parse', 'HEAD');
    expect(await readLocalGit(root)).toEqual({ root, commitSha, branch: 'two' });
  });

  it('has no commit where its format is not known, and before the first', async () => {
    using temporary = mkdtempDisposableSync(join(tmpdir(), 'local-git-'));
    const root = repository(temporary.path);
    // As git has it where references are in tables of its own.
    writeFileSync(join(root, '.git/HEAD'), 'ref: refs/heads/.invalid\n');
    expect(await readLocalGit(root)).not.toHaveProperty('commitSha');
    const empty = join(temporary.path, 'empty');
    mkdirSync(empty);
    git(empty, 'init', '--quiet', '--initial-branch=main');
    expect(await readLocalGit(empty)).toEqual({ root: empty, branch: 'main' });
  });

  it('has no branch where its references are in a format that is not known', async () => {
    using temporary = mkdtempDisposableSync(join(tmpdir(), 'git-'));
    const root = join(temporary.path, 'repository');
    mkdirSync(join(root, '.git/reftable'), { recursive: true });
    writeFileSync(join(root, '.git/HEAD'), 'ref: refs/heads/.invalid\n');
    expect(await readLocalGit(root)).toEqual({ root });
  });

  it('runs nothing that its settings name', async () => {
    using temporary = mkdtempDisposableSync(join(tmpdir(), 'local-git-'));
    const root = repository(temporary.path);
    const mark = join(temporary.path, 'ran');
    const hook = join(temporary.path, 'hook');
    writeFileSync(hook, `#!/bin/sh\ntouch '${mark}'\n`, { mode: 0o755 });
    git(root, 'config', 'core.fsmonitor', hook);
    await readLocalGit(root);
    expect(existsSync(mark)).toBe(false);
    git(root, 'status');
    expect(existsSync(mark)).toBe(true);
  });

  it('lacks a commit for one of these reasons', async () => {
    using temporary = mkdtempDisposableSync(join(tmpdir(), 'local-git-'));
    const made = (name: string, ...args: string[]) => {
      git(temporary.path, 'init', '--quiet', '--initial-branch=main', ...args, name);
      return join(temporary.path, name);
    };
    const unborn = made('unborn');
    expect(await readCommitLack(unborn)).toBe('no-commit');
    const other = made('other', '--object-format=sha256');
    git(other, 'commit', '--quiet', '--allow-empty', '--message=One');
    expect(await readLocalGit(other)).toMatchObject({ commitSha: undefined });
    expect(await readCommitLack(other)).toBe('other-hash');
    git(other, 'worktree', 'add', '--quiet', '-b', 'two', join(temporary.path, 'tree'));
    expect(await readCommitLack(join(temporary.path, 'tree'))).toBe('other-hash');
    const mirror = join(temporary.path, 'mirror');
    git(temporary.path, 'clone', '--quiet', '--mirror', unborn, mirror);
    expect(await readLocalGit(mirror)).toBeUndefined();
    expect(await readCommitLack(join(mirror, 'objects'))).toBe('bare');
    expect(await readCommitLack(temporary.path)).toBe('no-repository');
    writeFileSync(join(unborn, '.git/HEAD'), 'ref: refs/heads/.invalid\n');
    expect(await readCommitLack(unborn)).toBe('unreadable');
  });

  it('may not be there', async () => {
    using temporary = mkdtempDisposableSync(join(tmpdir(), 'local-git-'));
    expect(await readLocalGit(temporary.path)).toBeUndefined();
  });
});
