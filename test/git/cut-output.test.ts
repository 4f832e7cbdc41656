// Attack (git): A flood of git's output shows half of a token, where it is cut or where git's two processes print into
// each other's lines
// Defense: Output that is cut at its front begins with a line of git's own; for http, only whole messages of git are
// shown

import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { createRedact, createSanitize } from '../../src/kernel/text/redact.ts';
import { runGit } from '../../src/push/git/process.ts';
import { readErrorOutput } from '../../src/push/model/fault.ts';
import { piecesOf } from '../attacks/shown.ts';

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
      const lines = await errorsOf(flood(inToken, '\nremote: '));
      expect(lines.length).toBeLessThanOrEqual(256 * 1024);
      expect(lines).not.toContain(token.slice(-4));
      expect(lines).toMatch(/last\n$/);
      expect(await errorsOf(flood(inToken, ''))).not.toContain(token.slice(-4));
    }
  },
);

/** What git's two processes print, and what is then shown of it. */
async function shownOf(printed: string): Promise<string> {
  const print = `process.stderr.write(${JSON.stringify(printed)}.replace("FLOOD", "y".repeat(256 * 1024)))`;
  const errors = await errorsOf(`exec '${process.execPath}' -e '${print}'`);
  return createSanitize(createRedact([token]))(readErrorOutput(errors).detail);
}

const trace = '10:00:00.000001 http.c:800              <= Recv header: HTTP/1.1 200 OK\n';
const [front, back] = [token.slice(0, 14), token.slice(14)];

test
  .skipIf(process.platform === 'win32')
  .each([
    ['a trace, with a cut in it', `remote: FLOOD ${front}${trace}${back}\nremote: the end\n`],
    ['a trace', `remote: said ${front}${trace}${back}\nremote: the end\n`],
    ['two traces', `remote: ${front}${trace}${trace}${back}\nremote: the end\n`],
    [
      'an error of the other process',
      `${trace}remote: ${front}error: RPC failed; curl 18\n${back}\nremote: the end\n`,
    ],
    ...['warning', 'remote', 'BUG', 'send-pack', 'fetch-pack'].map((word) => [
      `the word ${word} of the other process`,
      `remote: ${front}${word}: something\n${back}\nremote: the end\n`,
    ]),
    [
      'words within a long trace',
      `${trace.trimEnd()}${front}remote: x\n${back}\nremote: the end\n`,
    ],
    ['a trace, at the end', `remote: the end\nremote: ${front}${trace}`],
  ])('a token that is parted by %s is not shown in pieces', async (_name, printed) => {
  const shown = await shownOf(printed);
  expect(piecesOf(token, 5, shown)).toEqual([]);
  expect(shown).toContain('remote: the end');
});
