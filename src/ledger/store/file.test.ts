import {
  mkdir,
  mkdtempDisposable,
  readdir,
  readFile,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileStore } from './file.ts';

const isWindows = process.platform === 'win32';
const endless = new AbortController().signal;
const stopped = AbortSignal.abort(new Error('stopped'));

/** A workspace, and a folder beside it that is none of the workspace's business. */
async function openWorkspace() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'workspace-'));
  const workspace = join(folder.path, 'workspace');
  const outside = join(folder.path, 'outside');
  await mkdir(workspace);
  await mkdir(outside);
  return {
    workspace,
    outside,
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

describe('the ledger in a file', () => {
  test.each([
    ['in the workspace', 'ledger.txt'],
    ['in folders that are not there yet', 'a/b/ledger.txt'],
    ['in a folder whose name begins with dots', '..a/ledger.txt'],
  ])('%s comes back as it was saved', async (_, path) => {
    await using place = await openWorkspace();
    const store = fileStore(place.workspace, path);
    expect(await store.load(endless)).toEqual({ absent: 'none' });
    expect(await store.save('first', endless)).toBeUndefined();
    expect(await store.save('\ufeffsecond\r\n', endless)).toBeUndefined();
    expect(await store.load(endless)).toEqual({ text: '\ufeffsecond\r\n' });
  });

  test.skipIf(isWindows)('is for its owner only (Windows has no such modes)', async () => {
    await using place = await openWorkspace();
    const file = join(place.workspace, 'ledger.txt');
    await writeFile(file, 'old', { mode: 0o644 });
    await fileStore(place.workspace, 'ledger.txt').save('new', endless);
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600');
  });

  test.skipIf(isWindows)(
    'is never seen half written, and leaves no draft, if many save at once (Windows may refuse to open it meanwhile)',
    async () => {
      await using place = await openWorkspace();
      const store = fileStore(place.workspace, 'ledger.txt');
      const texts = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(300_000));
      await store.save('start', endless);
      let isSaving = true;
      const saved = Promise.all(texts.map((text) => store.save(text, endless))).finally(() => {
        isSaving = false;
      });
      const whole = new Set(['start', ...texts]);
      while (isSaving) {
        const loaded = await store.load(endless);
        expect('text' in loaded && whole.has(loaded.text)).toBe(true);
      }
      expect(await saved).toEqual(texts.map(() => undefined));
      expect(await readdir(place.workspace)).toEqual(['ledger.txt']);
    },
  );

  test('keeps the old content if the signal aborts', async () => {
    await using place = await openWorkspace();
    const store = fileStore(place.workspace, 'ledger.txt');
    await store.save('old', endless);
    expect(await store.save('new', stopped)).toContain('was not written in time');
    await expect(store.load(stopped)).rejects.toThrow('stopped');
    expect(await store.load(endless)).toEqual({ text: 'old' });
    expect(await readdir(place.workspace)).toEqual(['ledger.txt']);
  });

  test('is written through a link that stays in the workspace', async () => {
    await using place = await openWorkspace();
    await writeFile(join(place.workspace, 'real.txt'), 'old');
    await symlink('real.txt', join(place.workspace, 'ledger.txt'));
    expect(await fileStore(place.workspace, 'ledger.txt').save('new', endless)).toBeUndefined();
    expect(await readFile(join(place.workspace, 'real.txt'), 'utf8')).toBe('new');
  });
});

describe('what is wrong with the file becomes a sentence', () => {
  test.each([
    ['outside', '../outside/ledger.txt', /is outside the workspace/],
    ['outside, in a folder to be made', '../outside/new/ledger.txt', /is outside the workspace/],
    ['a link to outside', 'link.txt', /is outside the workspace/],
    ['behind a link to outside', 'link/ledger.txt', /is outside the workspace/],
    ['behind a link to outside, in a folder to be made', 'link/new/x', /is outside the workspace/],
    ['a folder', 'folder', /is not a file/],
    ['the workspace', '.', /is not a file/],
    ['below a file', 'file.txt/ledger.txt', /is below something that is not a folder/],
    ['far below a file', 'file.txt/a/ledger.txt', /is below something that is not a folder/],
  ])('%s', async (_, path, says) => {
    await using place = await openWorkspace();
    await mkdir(join(place.workspace, 'folder'));
    await writeFile(join(place.workspace, 'file.txt'), 'file');
    await writeFile(join(place.outside, 'secret.txt'), 'secret');
    await symlink(place.outside, join(place.workspace, 'link'));
    await symlink(join(place.outside, 'secret.txt'), join(place.workspace, 'link.txt'));
    const store = fileStore(place.workspace, path);
    expect(await store.load(endless)).toEqual({ absent: expect.stringMatching(says) });
    expect(await store.save('new', endless)).toMatch(says);
    expect(await readdir(place.outside)).toEqual(['secret.txt']);
    expect(await readFile(join(place.outside, 'secret.txt'), 'utf8')).toBe('secret');
  });

  test('a link that leads nowhere is not followed out of the workspace', async () => {
    await using place = await openWorkspace();
    await symlink(join(place.outside, 'new'), join(place.workspace, 'link'));
    const store = fileStore(place.workspace, 'link/ledger.txt');
    expect(await store.load(endless)).toEqual({ absent: 'none' });
    expect(await store.save('new', endless)).toContain("can't be written");
    expect(await readdir(place.outside)).toEqual([]);
  });

  test.each([
    ['too large', Buffer.alloc(1024 * 1024 + 1, 'x'), /is larger than 1 MiB/],
    ['no text', Buffer.from([0xff, 0xfe]), /is not UTF-8 text/],
  ])('%s', async (_, content, says) => {
    await using place = await openWorkspace();
    await writeFile(join(place.workspace, 'ledger.txt'), content);
    const store = fileStore(place.workspace, 'ledger.txt');
    expect(await store.load(endless)).toEqual({ absent: expect.stringMatching(says) });
  });

  test('a text that could not be read again', async () => {
    await using place = await openWorkspace();
    const store = fileStore(place.workspace, 'ledger.txt');
    expect(await store.save('é'.repeat(600_000), endless)).toContain('larger than 1 MiB');
    expect(await readdir(place.workspace)).toEqual([]);
  });

  test('a workspace that is not there', async () => {
    await using place = await openWorkspace();
    const store = fileStore(join(place.workspace, 'missing'), 'ledger.txt');
    expect(await store.load(endless)).toEqual({ absent: expect.stringContaining('ENOENT') });
    expect(await store.save('new', endless)).toContain('ENOENT');
  });
});
