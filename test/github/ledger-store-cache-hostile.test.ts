import { execFile } from 'node:child_process';
import { mkdtempDisposable, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { endless, openCacheWorld } from './ledger-store-world.ts';

/** Packs files under the names that `transform` gives them, compressed as the cache's client does it here. */
async function pack(folder: string, files: readonly string[], transform: string): Promise<Buffer> {
  const archive = join(folder, 'hostile.tar.zst');
  const options = ['-P', '--use-compress-program', 'zstd', `--transform=${transform}`];
  await promisify(execFile)('tar', [...options, '-cf', archive, '-C', folder, ...files]);
  return await readFile(archive);
}

/** A folder with a file whose content somebody else would like to have elsewhere. */
async function makeFolder() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'hostile-'));
  await writeFile(join(folder.path, 'plain'), 'forged');
  return folder;
}

/** Saves a ledger, puts another archive in its place, and loads it. */
async function loadArchive(archive: Buffer) {
  await using world = await openCacheWorld();
  await world.store().save('sealed', endless);
  for (const entry of world.server.entries) entry.archive = archive;
  const loaded = await world.store().load(endless);
  return { loaded, leftovers: await world.leftovers() };
}

// Other systems have another tar, or no zstd.
test.runIf(process.platform === 'linux').each([
  ['an absolute name', (folder: string) => `s,.*,${folder}/planted,`],
  ['a name that leads out of the folder', () => 's,.*,../../planted,'],
])('%s in an archive writes nothing anywhere else', async (_, transform) => {
  await using folder = await makeFolder();
  const archive = await pack(folder.path, ['plain'], transform(folder.path));
  expect(await loadArchive(archive)).toEqual({ loaded: { text: 'forged' }, leftovers: [] });
  expect(await readdir(folder.path)).not.toContain('planted');
});

test.runIf(process.platform === 'linux')('a link in an archive is not followed', async () => {
  await using folder = await makeFolder();
  await symlink(join(folder.path, 'plain'), join(folder.path, 'link'));
  const archive = await pack(folder.path, ['link'], 's,^link$,ledger,');
  const { loaded, leftovers } = await loadArchive(archive);
  expect(loaded).toEqual({ absent: expect.stringContaining('could not be read') });
  expect(leftovers).toEqual([]);
});

test.runIf(process.platform === 'linux')('an archive without a ledger', async () => {
  await using folder = await makeFolder();
  const { loaded } = await loadArchive(
    await pack(folder.path, ['--files-from', '/dev/null'], 's,x,x,'),
  );
  expect(loaded).toEqual({ absent: expect.stringContaining('the entry is empty') });
});

test.runIf(process.platform === 'linux').each([
  ['is larger than 1 MiB', Buffer.alloc(1024 * 1024 + 1, 'x')],
  ['is not UTF-8 text', Buffer.from([0xff, 0xfe])],
])('a ledger that %s', async (problem, content) => {
  await using folder = await makeFolder();
  await writeFile(join(folder.path, 'ledger'), content);
  const { loaded } = await loadArchive(await pack(folder.path, ['ledger'], 's,x,x,'));
  expect(loaded).toEqual({ absent: expect.stringContaining(problem) });
});
