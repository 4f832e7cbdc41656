import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRequest } from '../../scripts/try/arguments.ts';
import { play as playAny } from '../../scripts/try/play.ts';
import { shareProcess } from '../support/shared-process.ts';

const fast = ['buildMs', 'verifyMs', 'turnMs'].map((name) => `--dialect=${name}=20`);

/** Plays a command of `npm run try` in this process, and gives what it printed and wrote. */
export async function play(words: readonly string[]) {
  await using out = await mkdtempDisposable(join(tmpdir(), 'try-test-'));
  // Not this repository, whose commit would be deployed.
  const place = [
    '--out',
    out.path,
    ...(words.includes('--workspace') ? [] : ['--workspace', out.path]),
  ];
  const request = readRequest([...words, ...fast, ...place]);
  if (request === null) throw new Error('help was asked for');
  const lines: string[] = [];
  // A run that is cancelled has a process of its own.
  const launch = request.end === 'cancelled' ? {} : { launch: shareProcess };
  const status = await playAny(request, { print: (line) => lines.push(line), ...launch });
  const read = (name: string) => readFile(join(out.path, name), 'utf8').catch(() => '');
  return {
    status,
    text: lines.join('\n'),
    comment: await read('comment.md'),
    summary: await read('summary.md'),
    page: await read('index.html'),
  };
}
