// Attack (git): False objects in the workspace report wrong parents, so that a push discards commits
// Defense: History is decided on copies that are packed and indexed anew, and so named by their content

import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { rows } from '../support/exhaustive.ts';
import { type GitWorld, git, startGitWorld } from './support.ts';

const looseIn = (workspace: string, id: string): string =>
  join(workspace, '.git', 'objects', id.slice(0, 2), id.slice(2));

/** Has an object of a workspace say that a commit has another parent. */
async function lieAboutParent(workspace: string, commit: string, parent: string): Promise<void> {
  const file = looseIn(workspace, commit);
  const object = inflateSync(await readFile(file)).toString();
  const [, content = ''] = object.split('\0');
  const lie = content.replace(/^parent [0-9a-f]{40}$/m, `parent ${parent}`);
  await rm(file, { force: true });
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, deflateSync(`commit ${Buffer.byteLength(lie)}\0${lie}`));
}

/**
 * A project that somebody else pushed to, and whose repository knows an ancestor of the commit; and a workspace in which
 * that ancestor is said to be a child of what was pushed.
 */
async function startLie(world: GitWorld) {
  const { dev, project, folder } = world;
  const theirs = await world.pushToProject();
  const known = await world.push();
  await git(dev.folder, [
    'push',
    '--quiet',
    await project.gitFolder(),
    `${known}:refs/heads/known`,
  ]);
  const commit = await world.push();
  const workspace = await mkdtemp(join(folder, 'lying-'));
  await cp(dev.folder, workspace, { recursive: true });
  await git(workspace, ['fetch', '--quiet', await project.gitFolder(), 'main']);
  await lieAboutParent(workspace, known, theirs);
  const counted = await git(workspace, ['rev-list', '--count', `${commit}..${theirs}`]);
  return { theirs, known, commit, workspace, counted };
}

test.each(rows(['never', { onlyFrom: 'f'.repeat(40) }] as const, 1))(
  'a false object in the workspace does not have the project lose a commit (force: %j)',
  async (force) => {
    await using world = await startGitWorld();
    const { theirs, commit, workspace, counted } = await startLie(world);
    // Git believes it: it does not hash what it only walks.
    expect(counted).toBe('0');
    const result = await world.pushCommit(commit, { workspace, force });
    expect(result).toMatchObject({ kind: 'refused', head: theirs });
    expect(await world.project.head()).toBe(theirs);
    expect(world.steps).toContainEqual({ step: 'fetch-commit', part: 'history' });
  },
);

/** Has the one object of a pack go by another name: packs are read by their index, which nobody checks. */
async function renameInIndex(index: string, name: string): Promise<void> {
  const bytes = await readFile(index);
  const id = Buffer.from(name, 'hex');
  const fanOut = 8;
  for (let first = 0; first < 256; first += 1) {
    bytes.writeUInt32BE(first >= (id[0] ?? 0) ? 1 : 0, fanOut + first * 4);
  }
  id.copy(bytes, fanOut + 256 * 4);
  await rm(index);
  await writeFile(index, bytes);
}

test('an index of a pack that names a false object is not believed either', async () => {
  await using world = await startGitWorld();
  const { theirs, commit, known, workspace } = await startLie(world);
  const loose = looseIn(workspace, known);
  const lie =
    inflateSync(await readFile(loose))
      .toString()
      .split('\0')[1] ?? '';
  await writeFile(join(world.folder, 'lie'), lie);
  const file = ['hash-object', '-w', '-t', 'commit', join(world.folder, 'lie')];
  const named = await git(workspace, file);
  const packs = join(workspace, '.git', 'objects', 'pack');
  await mkdir(packs, { recursive: true });
  await writeFile(join(world.folder, 'names'), `${named}\n`);
  const list = `git pack-objects -q '${join(packs, 'pack')}' < '${join(world.folder, 'names')}'`;
  const made = (await git(workspace, ['-c', `alias.make=!${list}`, 'make'])).trim();
  await renameInIndex(join(packs, `pack-${made}.idx`), known);
  await rm(loose);
  expect(await git(workspace, ['rev-list', '--count', `${commit}..${theirs}`])).toBe('0');
  const result = await world.pushCommit(commit, { workspace, force: 'never' });
  expect(result).toMatchObject({ kind: 'refused', head: theirs });
  expect(await world.project.head()).toBe(theirs);
});
