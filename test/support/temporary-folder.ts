import { spawnSync } from 'node:child_process';
import { mkdtempDisposableSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where Linux has a folder in memory. */
const inMemory = '/dev/shm';

/** How many bytes must be free there, so that the tests cannot fill the memory of a small machine. */
const leastFree = 2 * 1024 ** 3;

/**
 * The folder for the files that the tests write: one in memory, where the machine has one with room for them that
 * lets programs run, as hooks of git do. On a disk, each of their thousands of repositories waits for it.
 */
export function temporaryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    if (bavail * bsize < leastFree) return tmpdir();
    using tried = mkdtempDisposableSync(join(inMemory, 'tests-'));
    const program = join(tried.path, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    return spawnSync(program).status === 0 ? inMemory : tmpdir();
  } catch {
    // There is none, or it is not ours to write to.
    return tmpdir();
  }
}
