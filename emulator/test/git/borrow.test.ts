import { execFileSync } from 'node:child_process';
import { mkdir, mkdtempDisposable, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { borrowRepository } from '../../git/borrow.ts';
import { createGit } from './git.ts';

/** A repository with a commit. */
async function openRepository() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'borrowed-from-'));
  const git = createGit(folder.path);
  await git('init', '--quiet', '--initial-branch=main');
  await git('commit', '--quiet', '--allow-empty', '--message=one');
  const own = join(folder.path, '.git');
  return { folder, git, own, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

/** A pipe to which nobody writes, in the place of a file. */
async function putPipe(file: string): Promise<void> {
  await rm(file, { force: true });
  execFileSync('mkfifo', [file]);
}

const hasPipes = process.platform !== 'win32';

test.skipIf(!hasPipes).each<[string, (own: string) => Promise<void>, string]>([
  ['HEAD is a pipe', (own) => putPipe(join(own, 'HEAD')), 'its HEAD is not a file'],
  [
    'HEAD leads to a device',
    async (own) => {
      await rm(join(own, 'HEAD'));
      await symlink('/dev/zero', join(own, 'HEAD'));
    },
    'its HEAD is not a file',
  ],
  [
    'HEAD is a folder',
    async (own) => {
      await rm(join(own, 'HEAD'));
      await mkdir(join(own, 'HEAD'));
    },
    'its HEAD is not a file',
  ],
  [
    'the references are elsewhere',
    async (own) => {
      await rename(join(own, 'refs'), join(own, 'others'));
      await symlink('others', join(own, 'refs'));
    },
    'its refs are not a folder',
  ],
  [
    'it uses SHA-256',
    (own) => writeFile(join(own, 'config'), '[extensions]\n\tobjectformat = sha256\n'),
    'its format is sha256',
  ],
  [
    'it uses reftable',
    (own) => writeFile(join(own, 'config'), '[extensions]\n\trefStorage = reftable\n'),
    'its format is reftable',
  ],
])('a repository is not read as an empty one: %s', async (_, change, why) => {
  await using repository = await openRepository();
  await change(repository.own);
  const { path } = repository.folder;
  await expect(borrowRepository(path)).rejects.toThrow(`can't read the git repository of ${path}`);
  await expect(borrowRepository(path)).rejects.toThrow(why);
});

test.skipIf(!hasPipes).each([
  ['commondir', 'a pipe', putPipe],
  ['commondir', 'a device', (file: string) => symlink('/dev/zero', file)],
  ['packed-refs', 'a pipe', putPipe],
  ['refs/heads/other', 'a pipe', putPipe],
])('%s that is %s is not read', async (name, _, put) => {
  await using repository = await openRepository();
  await put(join(repository.own, name));
  await using borrowed = await borrowRepository(repository.folder.path);
  expect(await createGit(borrowed?.path ?? '')('rev-parse', 'HEAD')).toMatch(/^[0-9a-f]{40}$/);
});

test('objects are found where a path from the repository leads', async () => {
  await using repository = await openRepository();
  await using clone = await mkdtempDisposable(join(tmpdir(), 'borrowed-clone-'));
  await createGit(clone.path)('clone', '--quiet', '--shared', repository.folder.path, '.');
  await rename(join(repository.own, 'objects'), join(clone.path, 'elsewhere'));
  await writeFile(join(clone.path, '.git/objects/info/alternates'), '../../elsewhere\n');
  await using borrowed = await borrowRepository(clone.path);
  expect(await createGit(borrowed?.path ?? '')('log', '-1', '--format=%s')).toBe('one');
});
