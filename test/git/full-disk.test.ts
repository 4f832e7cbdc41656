import { existsSync } from 'node:fs';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { startGitWorld } from './support.ts';

/** Has the copy of the workspace's history written to a disk that is full, as soon as our repository is made. */
const script = (real: string) => `#!/bin/sh
case "$*" in
  *' init '*) folder=$(dirname "\${1#--git-dir=}"); ln -s /dev/full "$folder/borrowed.pack" ;;
esac
exec '${real}' "$@"
`;

const onPath = process.env['PATH'] ?? '';

test.skipIf(process.platform !== 'linux')(
  'a disk that is full while the history of the workspace is copied is told (only Linux has /dev/full)',
  async () => {
    await using world = await startGitWorld();
    const commit = await world.push();
    const workspace = await world.checkOut();
    await using folder = await mkdtempDisposable(join(tmpdir(), 'full-disk-'));
    const real = onPath.split(delimiter).map((place) => join(place, 'git'));
    const git = real.find((file) => existsSync(file)) ?? '';
    await writeFile(join(folder.path, 'git'), script(git), { mode: 0o755 });
    const environment = { ...process.env, PATH: `${folder.path}${delimiter}${onPath}` };
    const bringing = world.bring(commit, { workspace, force: 'always', environment });
    await expect(bringing).rejects.toThrow(/The disk of this machine is full .*\(SD7302\)/);
    expect(await world.leftovers()).toEqual([]);
  },
);
