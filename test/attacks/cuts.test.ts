// Attack (secrets): A cut (of long text, an error, a build log, a turn's line, a quoted input) leaves part of a secret
// Defense: Each cut of unredacted text leaves `…`. Before it, prefixes of a secret (four characters and more) are
// redacted in every encoding
// Attack (secrets): Someone writes prefixes of a secret before `…`, and reads in the log which ones are redacted
// Defense: Only before the action's own marks, in unredacted text, is a prefix redacted
// Attack (secrets): An error quotes part of a key that was set in the wrong input
// Defense: Before a cut, prefixes of a secret are redacted there, too
// Attack (secrets): A secret of short lines is in a turn's text
// Defense: The output and the reply are redacted again as a whole

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startEmulator } from '../../emulator/index.ts';
import { startEnvSync } from '../dist/env-sync-world.ts';
import { startMessage } from '../dist/message-world.ts';
import { runStep } from '../dist/run-step.ts';
import { piecesOf, shownBy } from './shown.ts';

/** Nothing in it stands twice, so that each piece of it tells where it comes from. */
const secret = 'Zq7xK2mVw9pRt4nLb6cJh3sYf8';
const piece = 5;

/** How much of the secret stands before the cut. */
const before = [5, 13, secret.length - 1];

/** What is taken out of a text before it is shown, so that what follows it moves to the front. */
const nothings: readonly (readonly [string, string])[] = [
  ['blanks', ' '],
  ['line ends', '\n'],
  ['control characters', '\0'],
  ['colours', '\u001b[0m'],
];

/** So many characters of what is taken out. */
const fill = (nothing: string, length: number): string =>
  nothing.repeat(Math.ceil(length / nothing.length)).slice(-length);

const cases = nothings.flatMap(([name, nothing]) =>
  (nothing === ' ' ? before : [13]).map((kept) => [name, kept, nothing] as const),
);

describe.concurrent('a secret that straddles the place where a text is cut', () => {
  it.each(cases)(
    'is not told in part by an error of 64 KiB: %s, %i of it',
    async (_name, kept, nothing) => {
      await using world = await startEnvSync();
      const body = `${fill(nothing, 65_536 - kept)}${secret} and more`;
      const fault = { kind: 'status', status: 400, body, effect: false } as const;
      world.emulator.faults.add({ operation: 'readEnvironment', ...fault });
      const result = await world.run({ SECRET: secret });
      expect(result.outputs['outcome']).toBe('failed');
      expect(piecesOf(secret, piece, shownBy(result))).toEqual([]);
    },
  );

  it.each(cases)(
    'is not told in part by a body of 16 KiB that is not JSON: %s, %i of it',
    async (_name, kept, nothing) => {
      await using world = await startEnvSync();
      for (const size of [16_384, 65_536]) {
        const body = `${fill(nothing, size - kept)}${secret} and more`;
        const fault = { kind: 'status', status: 200, body, effect: false } as const;
        world.emulator.faults.add({ operation: 'readEnvironment', times: 5, ...fault });
        const result = await world.run({ SECRET: secret });
        expect(result.outputs['error']).toContain('not JSON');
        expect(piecesOf(secret, piece, shownBy(result))).toEqual([]);
      }
    },
  );

  it.each(nothings)('is not told in part by a line of a build log: %s', async (_name, nothing) => {
    const logLines = before.map((kept) => `${fill(nothing, 65_536 - kept)}${secret} and more`);
    await using emulator = await startEmulator({ dialect: { stream: { logLines } } });
    const project = await emulator.world.createProject();
    const result = await runStep(emulator, project, {
      env: { SECRET: secret },
      inputs: { 'env-from': 'SECRET', wait: 'stream' },
    });
    expect(result.outputs['outcome']).toBe('succeeded');
    expect(piecesOf(secret, piece, shownBy(result))).toEqual([]);
    expect(result.raw.stdout).toContain('***');
  });

  it.each([
    ['an escape of a URI', 'Zq7"xK2m<Vw9p&Rt4nLb6c', encodeURIComponent],
    [
      'an escape of JSON',
      'Zq7"xK2m\\Vw9p\\Rt4n"Lb6c',
      (text: string) => JSON.stringify(text).slice(1, -1),
    ],
    ['a character of UTF-8', 'Zq7äxK2m漢Vw9p😀Rt4nLb6c', (text: string) => text],
  ])('is not told in part where the cut is in %s', async (_name, hidden, write) => {
    await using world = await startEnvSync();
    const written = Buffer.from(write(hidden));
    for (const kept of [9, 10, 11, 12, 13]) {
      const body = `${' '.repeat(65_536 - kept)}${written} and more`;
      const fault = { kind: 'status', status: 400, body, effect: false } as const;
      world.emulator.faults.add({ operation: 'readEnvironment', ...fault });
      const result = await world.run({ SECRET: hidden });
      expect(result.outputs['outcome']).toBe('failed');
      const plainPieces = piecesOf(hidden, 4, shownBy(result));
      expect([...plainPieces, ...piecesOf(write(hidden), 8, shownBy(result))]).toEqual([]);
    }
  });
});

describe.concurrent('a secret in what a turn says', () => {
  const said = async (token: string, turnText: string[]) => {
    await using world = await startMessage({ turnText });
    const inputs = { 'github-token': token, comment: 'false', wait: 'stream' };
    const result = await world.run({ inputs });
    expect(result.outputs['outcome']).toBe('succeeded');
    return { shown: shownBy(result), text: result.outputs['text'] ?? '' };
  };

  it.each([3975, 3985, 3990, 7985])('of words is not parted with a line, after %i', async (at) => {
    const token = 'Zq7x K2mV w9pR t4nL b6cJ h3sY';
    const { shown, text } = await said(token, [
      `${'word '.repeat(at / 5)}${token} and ${'word '.repeat(900)}`,
    ]);
    expect(piecesOf(token, piece, shown)).toEqual([]);
    expect(text).toContain('word ***');
  });

  it.each([8000, 65_536])('is not cut with a word of more than %i characters', async (longest) => {
    const whole = secret.repeat(Math.ceil(longest / secret.length));
    const kept = 13;
    const { shown } = await said(secret, [`${whole}${secret.slice(0, kept)}`, secret.slice(kept)]);
    expect(piecesOf(secret, piece, shown)).toEqual([]);
  });

  it('of short lines does not stand in the output as a whole', async () => {
    const token = 'Zq7\nxK2\nmVw\n9pR';
    const { text } = await said(token, [`It is\n${token}\n`]);
    expect(text).toBe('It is\n***');
  });
});

it('a secret that is given to another input, too, is not told in part by the error', async () => {
  await using world = await startEnvSync();
  const key = `${secret}-${'0123456789'.repeat(8)}`;
  for (const input of ['project-id', 'env-targets', 'timeout', 'env-from', 'config']) {
    const result = await world.run({}, { inputs: { 'api-key': key, [input]: key } });
    expect(result.outputs).toMatchObject({ outcome: 'failed', requests: '0' });
    expect(piecesOf(secret, piece, shownBy(result))).toEqual([]);
  }
});

/** Beginnings of a secret, of which only the third is right. */
const guesses = [...'XYZab'].map((character) => `Zq7xK2mV${character}`).with(2, secret.slice(0, 9));

/** Ways in which a stranger's words can end in what could be the beginning of a secret. */
const endings: readonly (readonly [string, (guess: string) => string])[] = [
  ['a mark of a cut', (guess) => `is it ${guess}…?`],
  ['an escaped one', (guess) => `is it ${guess}\\u2026`],
  [
    'a cut that they foresee',
    (guess) => `${'is it '.repeat(80)}${'.'.repeat(19 - guess.length)}${guess}${' no'.repeat(20)}`,
  ],
];

describe.concurrent('a secret is not found out by looking which beginnings are hidden', () => {
  it.each(endings)('in a build log, before %s', async (_name, write) => {
    const logLines = guesses.map(write);
    await using emulator = await startEmulator({ dialect: { stream: { logLines } } });
    const project = await emulator.world.createProject();
    const { log } = await runStep(emulator, project, {
      env: { SECRET: secret },
      inputs: { 'env-from': 'SECRET', wait: 'stream' },
    });
    const told = log.filter((line) => line.includes('is it'));
    expect(told).toHaveLength(guesses.length);
    for (const [index, guess] of guesses.entries()) expect(told[index]).toContain(guess);
  });

  it.each(endings)('in what a turn says, before %s', async (_name, write) => {
    await using world = await startMessage({ turnText: guesses.map((one) => `${write(one)}\n`) });
    const inputs = { 'github-token': secret, comment: 'false', wait: 'stream' };
    const { outputs, log } = await world.run({ inputs });
    for (const guess of guesses) {
      expect(outputs['text']).toContain(guess);
      expect(log.join('\n')).toContain(guess);
    }
  });

  it('in the mistakes of a site file', async () => {
    await using world = await startEnvSync();
    const long = (guess: string) => `${'x'.repeat(50)}${guess}${'x'.repeat(20)}`;
    const keys = guesses.flatMap((guess) => [`${guess}…`, long(guess)]);
    const file = Object.fromEntries(keys.map((key) => [key, 1]));
    await writeFile(join(world.workspace, 'site.yml'), JSON.stringify(file));
    const { log } = await world.run({ SECRET: secret }, { inputs: { config: 'site.yml' } });
    const told = log.filter((line) => line.startsWith('×'));
    expect(told).toHaveLength(keys.length);
    for (const [index, line] of told.entries()) {
      expect(line).toContain(guesses[Math.floor(index / 2)]);
    }
  });
});
