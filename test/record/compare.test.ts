import { describe, expect, it } from 'vitest';
import { startEmulator } from '../../emulator/index.ts';
import type { ActionResult } from '../../emulator/runner.ts';
import { differences } from './compare.ts';
import { type RecordedPlay, record } from './recorded.ts';
import { createScrub } from './scrub.ts';

const play: RecordedPlay = {
  name: 'a play',
  steps: [
    {
      conclusion: 'success',
      exitCode: 0,
      outputs: { outcome: 'succeeded', error: '' },
      log: ['one', 'two'],
      annotations: [],
      summary: 'It is live.\nOf this commit.',
    },
  ],
  service: { '/v1/projects': ['POST {}  200', 'GET {}  200'] },
  github: {},
  comments: [],
  deployments: [],
};

/** The same play with something changed in its one step. */
const changed = (change: Partial<RecordedPlay['steps'][number]>): RecordedPlay => ({
  ...play,
  steps: play.steps.map((step) => ({ ...step, ...change })),
});

describe('two records of a play', () => {
  it('are equal if only the order of the log differs', () => {
    expect(differences(play, changed({ log: ['two', 'one'] }))).toEqual([]);
  });

  it.each<[string, RecordedPlay, string]>([
    ['a line of the log is gone', changed({ log: ['one'] }), '  - two'],
    ['a line is told twice', changed({ log: ['one', 'two', 'two'] }), '  + two'],
    ['a line of the summary', changed({ summary: 'It is live.' }), '  - Of this commit.'],
    ['the exit status', changed({ exitCode: 1 }), '  + 1'],
    ['an output', changed({ outputs: { outcome: 'failed', error: '' } }), '  + failed'],
    ['a request', { ...play, service: {} }, '  - POST {}  200'],
    ['an end that no scene expects', { ...play, unexpected: 'as it ended' }, '  + as it ended'],
    ['the post step', changed({ post: { ...play.steps[0], log: ['late'] } as never }), '  + late'],
  ])('differ by %s', (_, after, line) => {
    expect(differences(play, after)).toContain(line);
  });

  it('differ by the order of requests to one resource, but not where variables are created at once', () => {
    const sent = (path: string, requests: string[]) => ({ ...play, service: { [path]: requests } });
    const both = ['PUT {} 1', 'DELETE {} 2'];
    const one = '/v1/projects/<project 1>/environment/<variable A>';
    const reordered = differences(sent(one, both), sent(one, both.toReversed()));
    expect(reordered).toContain('  ~ in another order');
    const all = '/v1/projects/<project 1>/environment';
    expect(differences(sent(all, both), sent(all, both.toReversed()))).toEqual([]);
  });

  it('are equal without words if only what people read differs', () => {
    const after = changed({
      summary: 'Live.',
      log: [],
      outputs: { outcome: 'succeeded', error: 'x' },
    });
    expect(differences(play, after, { withoutWords: true })).toEqual([]);
    expect(differences(play, changed({ exitCode: 1 }), { withoutWords: true })).not.toEqual([]);
    const planned = (action: string, reason: string) =>
      changed({ outputs: { plan: JSON.stringify({ action, reason }) } });
    const [old, reworded] = [planned('create', 'it is new'), planned('create', 'a "new" one')];
    expect(differences(old, reworded, { withoutWords: true })).toEqual([]);
    expect(differences(old, reworded)).not.toEqual([]);
    expect(differences(old, planned('delete', 'it is new'), { withoutWords: true })).not.toEqual(
      [],
    );
  });

  it('differ if one of them lacks the play', () => {
    expect(differences(undefined, play)).toEqual(['+ this play']);
    expect(differences(play, undefined)).toEqual(['- this play']);
  });
});

describe('what differs from play to play', () => {
  const project = '11111111-1111-4111-8111-111111111111';
  const commit = 'a1'.repeat(20);
  const scrub = createScrub(
    new Map([
      [project, 'project 1'],
      [commit, 'head'],
    ]),
  );

  it.each([
    [`${project} serves ${commit}`, '<project 1> serves <head>'],
    [`11111111 serves ${commit.slice(0, 7)}`, '<project 1, short> serves <head, short>'],
    [`${'b2'.repeat(20)} took 1.25 s`, '<commit> took <time>'],
    ['http://127.0.0.1:43211/x and 12 requests', 'http://127.0.0.1:<port>/x and <n> requests'],
    ['2026-01-02T03:04:05.678Z', '<date>'],
  ])('%s is %s', (text, shown) => {
    expect(scrub(text)).toBe(shown);
  });

  it('is when a domain was verified, and nothing else of a log', async () => {
    await using emulator = await startEmulator();
    const log = ['Domain a.example.com is verified after 0.3s', 'Domain b.example.com is verified'];
    const done = { outputs: {}, annotations: [], log: [...log, 'Production is live'] };
    const { steps } = record('a play', { emulator, steps: [done as unknown as ActionResult] });
    expect(steps[0]?.log).toEqual(['Production is live']);
  });

  it('is not what a run says: words, names, counts and statuses stay', () => {
    const text = 'STRIPE_KEY: created for production, 3 of 4, answered 503 (SD5001)';
    expect(scrub(text)).toBe(text);
  });
});
