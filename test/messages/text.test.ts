import { describe, expect, it } from 'vitest';
import type { DialectOptions } from '../../emulator/index.ts';
import { notesTold, statusesTold } from '../support/deploy.ts';
import { rows } from '../support/exhaustive.ts';
import { linesShown, sendNow } from '../support/message.ts';
import { startWorld } from '../support/world.ts';

const turnText = [
  'I read ',
  'the request.\n\n```js',
  '\n',
  '  const a',
  ' = 1;\n',
  '```\r\n',
  '\t- Grüße 😀',
  ' ',
  'done',
];
const text = 'I read the request.\n\n```js\n  const a = 1;\n```\n\t- Grüße 😀 done';

type Dialects = readonly (readonly [string, DialectOptions])[];

const marks: DialectOptions['stream'] = { bom: true, crlf: true, comments: true };

/** How the events look. */
const shapes: Dialects = [
  ['json', { stream: { shape: 'json' } }],
  ['data only', { stream: { shape: 'data-only' } }],
  ['the name only', { stream: { shape: 'name-only' } }],
  ['nested', { stream: { shape: 'nested' } }],
  ['typed', { stream: { shape: 'typed' } }],
  ['in the field delta', { textShape: 'delta' }],
  ['in the field message', { textShape: 'message' }],
  ['in the field content, nested', { textShape: 'content', stream: { shape: 'nested' } }],
  ['steps beside the text', { stream: { stepEvents: true } }],
  ['at another path', { messageEventsPath: '/v1/turns/{messageId}/stream' }],
];

/** How the connection behaves. */
const connections: Dialects = [
  ['plain', {}],
  ['split at every 50 bytes', { stream: { splitBytes: 50 } }],
  ['a byte order mark, CRLF, heartbeats and comments', { stream: { ...marks, heartbeatMs: 2 } }],
  ['[DONE] at the end', { stream: { endWithDone: true } }],
  ['a connection that stays open', { stream: { closeAtEnd: false } }],
  ['a drop after every event, resumed', { stream: { dropAfterEvents: 1, retryMs: 5 } }],
  ['a drop after every second event', { stream: { dropAfterEvents: 2, retryMs: 5 } }],
];

/** So many pieces take longer than a clock that goes fast waits for the rest: they are followed alone. */
const slow: Dialects = [
  ['split at every byte', { stream: { splitBytes: 1 } }],
  ['CRLF and a byte order mark, split at every byte', { stream: { ...marks, splitBytes: 1 } }],
  ['split at every second byte', { stream: { splitBytes: 2 } }],
];

const pathOf = ({ messageEventsPath }: DialectOptions) =>
  messageEventsPath === undefined ? {} : { eventsPath: messageEventsPath };

it('many lines in one event end with the run, not with the event', async () => {
  await using world = await startWorld({ dialect: { turnText: ['line\n'.repeat(1000)] } });
  world.host.drained = async () => {
    if (linesShown(world).length === 3) world.abort('timed-out');
  };
  const report = await sendNow(world, { wait: 'stream' });
  expect(report.outcome).toBe('timed-out');
  expect(report.text).toBe('line\nline\nline');
  expect(linesShown(world)).toHaveLength(3);
});

describe.concurrent('a stream, followed alone, is shown to the character', () => {
  // Of what is slow, all of it at once.
  it.each([...shapes, ...connections, ...rows(slow, (_, index) => index === 1)])(
    '%s',
    async (_name, dialect) => {
      await using world = await startWorld({ dialect: { turnText, ...dialect } });
      const report = await sendNow(world, { wait: 'stream', ...pathOf(dialect) });
      expect(report).toMatchObject({
        outcome: 'succeeded',
        confirmedBy: 'stream',
        text,
        isCut: false,
      });
      expect(linesShown(world)).toEqual(text.split('\n'));
      expect(statusesTold(world)).toEqual(['queued', 'running', 'succeeded']);
    },
  );
});

// Beside the list, what differs is when the stream is heard: at once, in pieces, and after it was resumed.
describe.concurrent.each(rows(connections, 3))('a stream: %s', (_name, dialect) => {
  it('beside the list is shown whole, whoever tells the end', async () => {
    await using world = await startWorld({ dialect: { turnText, turnMs: 40, ...dialect } });
    const report = await sendNow(world);
    expect(report).toMatchObject({ outcome: 'succeeded', text });
  });

  it('opened after the end is replayed', async () => {
    await using world = await startWorld({ dialect: { turnText, turnMs: 0, ...dialect } });
    const { host, emulator } = world;
    const ended = Promise.withResolvers<void>();
    const { report: tell } = host;
    host.report = (progress) => {
      tell(progress);
      if (progress.type === 'status' && progress.status === 'succeeded') ended.resolve();
    };
    const until = () => ended.promise;
    emulator.faults.add({ operation: 'streamMessageEvents', kind: 'hold', until });
    const report = await sendNow(world);
    expect(report).toMatchObject({ outcome: 'succeeded', text });
  });
});

describe.concurrent('a stream that is dropped', () => {
  it('and begins anew says nothing twice', async () => {
    const stream = { resume: false, dropAfterEvents: 8, retryMs: 5 };
    await using world = await startWorld({ dialect: { turnText, stream } });
    const report = await sendNow(world);
    expect(report).toMatchObject({ outcome: 'succeeded', confirmedBy: 'poll' });
    expect(text.startsWith(report.text)).toBe(true);
    expect(report.text).toContain('const a');
  });

  it('by resets may lose an event, and is resumed after it', async () => {
    const stream = { dropAfterEvents: 2, dropBy: 'reset', retryMs: 5 } as const;
    await using world = await startWorld({ dialect: { turnText, stream } });
    expect(await sendNow(world)).toMatchObject({ outcome: 'succeeded' });
  });
});

describe.concurrent('the end', () => {
  it('that the list tells first does not cut the text', async () => {
    const stream = { splitBytes: 40, comments: true };
    const long = Array.from({ length: 40 }, (_, index) => `line ${index}\n`);
    await using world = await startWorld({ dialect: { turnText: long, turnMs: 0, stream } });
    const report = await sendNow(world);
    expect(report.text).toBe(long.join('').trimEnd());
  });

  it('is known although the stream stays silent, and that the text lacks is told', async () => {
    await using world = await startWorld({ dialect: { stream: { stall: true } } });
    const report = await sendNow(world);
    expect(report).toMatchObject({ outcome: 'succeeded', confirmedBy: 'poll', text: '' });
    expect(notesTold(world)).toEqual([
      expect.stringContaining('the rest of its answer did not arrive'),
    ]);
  });
});

describe.concurrent('a text', () => {
  it('of a huge event is passed over with a note, and the rest is shown', async () => {
    const dialect: DialectOptions = { stream: { oversizedFrameBytes: 1_500_000 } };
    await using world = await startWorld({ dialect: { turnText, ...dialect } });
    const report = await sendNow(world, { wait: 'stream' });
    expect(report).toMatchObject({ outcome: 'succeeded', text });
    expect(notesTold(world)).toEqual([expect.stringContaining('Skipped an event')]);
  });

  it('of more than 60,000 characters is cut between lines, and that is told once', async () => {
    const long = Array.from({ length: 40 }, () => `${'word '.repeat(400)}\n`);
    await using world = await startWorld({ dialect: { turnText: long, turnMs: 0 } });
    const report = await sendNow(world, { wait: 'stream' });
    expect(report).toMatchObject({ outcome: 'succeeded', isCut: true });
    expect(report.text.length).toBeGreaterThan(55_000);
    expect(report.text.length).toBeLessThanOrEqual(60_000);
    expect(notesTold(world)).toEqual(["The rest of the AI's answer is not shown."]);
  });

  it('without an end of line is shown once the turn has ended', async () => {
    await using world = await startWorld({ dialect: { turnText: ['a', 'b', 'c'] } });
    expect(await sendNow(world)).toMatchObject({ text: 'abc' });
    expect(linesShown(world)).toEqual(['abc']);
  });

  it('of a turn that fails is kept', async () => {
    await using world = await startWorld({ dialect: { turnText, messageEnds: 'failure' } });
    expect(await sendNow(world)).toMatchObject({ outcome: 'failed', text });
  });
});
