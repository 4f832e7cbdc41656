import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { runGit } from '../../src/push/git/process.ts';

const token = 'fake-git-token-0123456789';

/** Runs a program that prints to standard error as git does, and gives what is kept of it. */
async function errorsOf(script: string): Promise<string> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'git-cut-'));
  await writeFile(join(folder.path, 'git'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  const env = { PATH: `${folder.path}${delimiter}${process.env['PATH']}` };
  const { signal } = new AbortController();
  return (await runGit({ args: [], env, folder: folder.path, signal })).errors;
}

/** Node prints so many characters more than are kept, so that the cut goes through the token at its front. */
const flood = (inToken: number, between: string) =>
  `exec '${process.execPath}' -e '
const said = "${token}" + ${JSON.stringify(between)} + "last\\n";
const kept = 256 * 1024 - (said.length - ${inToken});
process.stderr.write("remote: " + said.slice(0, ${token.length}) + ${JSON.stringify(between)} + "y".repeat(kept) + said.slice(${token.length}));'`;

test.skipIf(process.platform === 'win32')(
  'a cut at the front of what git says leaves no end of a token (Windows starts no scripts)',
  async () => {
    for (const inToken of [1, 4, 12, token.length - 4]) {
      const lines = await errorsOf(flood(inToken, '\n'));
      expect(lines.length).toBeLessThanOrEqual(256 * 1024);
      expect(lines).not.toContain(token.slice(-4));
      expect(lines).toMatch(/last\n$/);
      expect(await errorsOf(flood(inToken, ''))).not.toContain(token.slice(-4));
    }
  },
);
