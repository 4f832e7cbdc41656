// Attack (git): The disk fills up during the copy
// Defense: The error ends the try and is reported; written files are removed

import { existsSync } from 'node:fs';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { startGitWorld } from './support.ts';

/** Has a file of our repository written to a disk that is full, once a command of git has ended. */
const script = (real: string, after: string, file: string) => `#!/bin/sh
'${real}' "$@"
status=$?
case "$*" in
  *' ${after} '*) ln -s /dev/full "\${1#--git-dir=}/${file}" ;;
esac
exit $status
`;

const onPath = process.env['PATH'] ?? '';

test.skipIf(process.platform !== 'linux').each([
  ['the history of the workspace is copied', 'init', '../borrowed.pack'],
  ['the objects of the workspace are borrowed', 'rev-list', 'objects/info/alternates'],
])('a disk that is full while %s is told (only Linux has /dev/full)', async (_, after, file) => {
  await using world = await startGitWorld();
  const { first: commit } = world;
  const workspace = await world.copyDev();
  await using folder = await mkdtempDisposable(join(tmpdir(), 'full-disk-'));
  const real = onPath.split(delimiter).map((place) => join(place, 'git'));
  const git = real.find((one) => existsSync(one)) ?? '';
  await writeFile(join(folder.path, 'git'), script(git, after, file), { mode: 0o755 });
  const environment = { ...process.env, PATH: `${folder.path}${delimiter}${onPath}` };
  const pushing = world.pushCommit(commit, { workspace, force: 'always', environment });
  await expect(pushing).rejects.toThrow(/The runner's disk is full .*\(SD7302\)/);
  expect(await world.leftovers()).toEqual([]);
});
