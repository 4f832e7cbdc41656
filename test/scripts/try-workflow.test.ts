import { mkdtempDisposable, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../scripts/player/usage-error.ts';
import { readRequest } from '../../scripts/try/arguments.ts';
import { play } from '../../scripts/try/play.ts';

const job = (...steps: string[]) =>
  `jobs:\n  one:\n    runs-on: ubuntu-latest\n    steps:\n${steps.map((step) => `      - ${step}\n`).join('')}`;

/** Plays a workflow file with these words, in a folder of its own, which it may end at a line. */
async function playFile(source: string, words: readonly string[], endAt = '') {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'try-test-'));
  const file = join(folder.path, 'a.yml');
  await writeFile(file, source);
  const given = ['--workflow', file, '--workspace', folder.path, '--out', join(folder.path, 'out')];
  const request = readRequest([...given, '--run-steps', '--exit-code', ...words]);
  if (request === null) throw new Error('help was asked for');
  const lines: string[] = [];
  const stop = new AbortController();
  const print = (line: string) => {
    lines.push(line);
    if (endAt !== '' && line.includes(endAt)) stop.abort();
  };
  const status = await play(request, { print, signal: stop.signal });
  return { status, text: lines.join('\n'), left: await readdir(folder.path) };
}

const byHand = `on:\n  workflow_dispatch:\n    inputs:\n      word: { required: true }\n      kind: { type: choice, options: [a, b] }\n`;

describe.concurrent('npm run try -- --workflow', () => {
  it.each([
    ['{}', 'the input word is required'],
    ['{ "inputs": { "word": "x", "kind": "c" } }', 'the input kind must be one of a, b'],
  ])('starts no run by hand that GitHub would not: %s', async (payload, refusal) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'try-test-'));
    const given = join(folder.path, 'payload.json');
    await writeFile(given, payload);
    const words = ['--event', 'workflow_dispatch', '--payload', given];
    const played = playFile(`${byHand}${job('{ run: echo }')}`, words);
    await expect(played).rejects.toThrow(UsageError);
    await expect(played).rejects.toThrow(refusal);
  });

  it('has the defaults of the inputs in the event too, as texts', async () => {
    const on = 'on: { workflow_dispatch: { inputs: { b: { type: boolean, default: true } } } }\n';
    const step = `{ if: github.event.inputs.b == 'true', run: echo it is }`;
    const { text } = await playFile(`${on}${job(step)}`, ['--event', 'workflow_dispatch']);
    expect(text).toMatch(/\] it is$/m);
  });

  it("has a schedule of the file's own", async () => {
    const on = "on: { schedule: [{ cron: '0 5 * * 1-5' }] }\n";
    const step = `{ run: "echo it is \${{ github.event.schedule }}" }`;
    const { text, status } = await playFile(`${on}${job(step)}`, ['--event', 'schedule']);
    expect(text).toContain('it is 0 5 * * 1-5');
    expect(status).toBe(0);
  });

  it('names the values that it makes up', async () => {
    const { text } = await playFile(
      `on: push\n${job(`{ run: "echo \${{ secrets.STRIPE_KEYY }} \${{ vars.MISSING }}" }`)}`,
      ['--event', 'push'],
    );
    expect(text).toContain('which nothing was given for: secrets.STRIPE_KEYY, vars.MISSING');
  });

  it('ends a script that is cancelled, and runs what always runs', async () => {
    const { text, left } = await playFile(
      `on: push\n${job('{ run: "echo begun; exec sleep 600" }', '{ if: always(), run: echo at the end }')}`,
      ['--event', 'push'],
      '] begun',
    );
    expect(text).toMatch(/operation was canceled.*at the end.*Conclusion: cancelled/s);
    expect(left).toEqual(['a.yml', 'out']);
  });

  it('fails if only the opening of a pull request failed', async () => {
    const on = 'on: { pull_request: { types: [opened, closed] } }\n';
    const { text, status } = await playFile(
      `${on}${job("{ run: exit 1, if: github.event.action == 'opened' }", '{ run: echo }')}`,
      ['--event', 'pull_request.closed'],
    );
    expect(text).toContain('Conclusion: failure when opened, success when closed');
    expect(status).toBe(1);
  });
});
