import { describe, expect, it } from 'vitest';
import type { DialectOptions } from '../../emulator/index.ts';
import { abortOn } from '../support/abort-on.ts';
import { notesTold, statusesTold } from '../support/deploy.ts';
import { rows } from '../support/exhaustive.ts';
import { countOf, sendNow } from '../support/message.ts';
import { startWorld } from '../support/world.ts';

/** Where a turn's end can be read, and who tells it. */
const offerings: readonly (readonly [string, DialectOptions, string | RegExp])[] = [
  ['stream and list', {}, /stream|poll/],
  ['the stream, not the list', { refuse: ['listMessages'] }, 'stream'],
  ['the list, not the stream', { messageOffers: 'neither' }, 'poll'],
  ['a page instead of a stream', { messageOffers: 'neither', notOfferedStatus: 'html200' }, 'poll'],
  ['the stream, forbidden', { refuse: ['streamMessageEvents'] }, 'poll'],
  ['the stream, late', { messageOfferedAfterMs: 60, refuse: ['listMessages'] }, 'stream'],
];

describe.concurrent.each(offerings)('with %s', (_name, dialect, confirmedBy) => {
  it.each(['success', 'failure'] as const)('%s is known', async (messageEnds) => {
    await using world = await startWorld({ dialect: { ...dialect, messageEnds } });
    const report = await sendNow(world);
    const succeeded = messageEnds === 'success';
    expect(report.outcome).toBe(succeeded ? 'succeeded' : 'failed');
    expect(report.confirmedBy).toMatch(confirmedBy);
    expect(report.message).toEqual({
      id: world.project.messages[0]?.id,
      status: succeeded ? 'succeeded' : 'failed',
    });
    if (!succeeded)
      expect(report.error).toBe(
        `The service reported the status "failed" for the message. The AI may have changed files: ${report.text === '' ? 'check the project' : 'read its answer in the summary'}, and send the message again only if something is missing. (SD5101)`,
      );
    expect(statusesTold(world)).toEqual([...new Set(statusesTold(world))]);
  });
});

describe.concurrent('without a stream', () => {
  it('the text is empty, and the log says why', async () => {
    await using world = await startWorld({
      dialect: { refuse: ['streamMessageEvents'] },
    });
    expect(await sendNow(world)).toMatchObject({ outcome: 'succeeded', text: '' });
    expect(notesTold(world).join()).toMatch(/answer can't be shown: .*\/events \(returned 403\)/);
  });

  it('and without the list: unconfirmed, with what was asked', async () => {
    await using world = await startWorld({
      dialect: { messageOffers: 'neither', refuse: ['listMessages'] },
    });
    const report = await sendNow(world);
    expect(report).toMatchObject({ outcome: 'unconfirmed', message: { status: 'queued' } });
    expect(report.confirmedBy).toBeUndefined();
    expect(report.error).toMatch(/\/events \(returned 404\).*\/messages \(returned 403\)/);
    expect(report.error).toContain('may still be working');
  });

  it('wait: stream is unconfirmed too', async () => {
    await using world = await startWorld({ dialect: { messageOffers: 'neither' } });
    expect(await sendNow(world, { wait: 'stream' })).toMatchObject({ outcome: 'unconfirmed' });
  });
});

describe.concurrent('a word', () => {
  // The table of words is tried in src/follow/model/status.test.ts.
  it.each(rows(['SUCCESS', 'Completed', 'done', 'finished'], 1))(
    'that is good: %s',
    async (success) => {
      await using world = await startWorld({ dialect: { messageWords: { success } } });
      const report = await sendNow(world);
      expect(report).toMatchObject({ outcome: 'succeeded', message: { status: success } });
    },
  );

  it.each(rows(['ERROR', 'Canceled', 'timed_out', 'aborted'], 1))(
    'that is bad: %s',
    async (failure) => {
      await using world = await startWorld({
        dialect: { messageEnds: 'failure', messageWords: { failure } },
      });
      const report = await sendNow(world);
      expect(report).toMatchObject({ outcome: 'failed', message: { status: failure } });
      expect(report.error).toContain(
        `The service reported the status "${failure}" for the message`,
      );
    },
  );

  it('that no table knows is waited over, and told once', async () => {
    const messageWords = { steps: ['zorping', 'running'] };
    await using world = await startWorld({ dialect: { messageWords } });
    expect(await sendNow(world)).toMatchObject({ outcome: 'succeeded' });
    const told = notesTold(world).filter((text) => text.includes('"zorping"'));
    expect(told).toHaveLength(1);
  });

  it('that no table knows at the end: timed out, with the word', async () => {
    await using world = await startWorld({ dialect: { messageWords: { success: 'zorp' } } });
    abortOn(world, (told) => told.type === 'note' && told.text.includes('"zorp"'));
    const report = await sendNow(world);
    expect(report).toMatchObject({ outcome: 'timed-out', message: { status: 'zorp' } });
    expect(report.error).toContain('may still be working');
  });
});

describe.concurrent('a turn that never ends', () => {
  it.each(['timed-out', 'cancelled'] as const)('is %s, and may go on', async (outcome) => {
    await using world = await startWorld({ dialect: { messageEnds: 'never' } });
    abortOn(world, (told) => told.type === 'status' && told.status === 'running', outcome);
    const report = await sendNow(world);
    expect(report).toMatchObject({ outcome, message: { status: 'running' } });
    expect(report.message?.id).toBe(world.project.messages[0]?.id);
    expect(report.error).toContain('The AI may still be working');
    expect(report.error).toContain('no way to cancel it');
  });

  it('shows what it said so far', async () => {
    await using world = await startWorld({
      dialect: { messageEnds: 'never', turnText: ['first line\nsecond'] },
    });
    abortOn(world, (told) => told.type === 'build-log');
    expect(await sendNow(world)).toMatchObject({ text: 'first line\nsecond' });
  });

  it('gives a sign of life', async () => {
    await using world = await startWorld({ dialect: { messageEnds: 'never' } });
    abortOn(world, (told) => told.type === 'heartbeat');
    await sendNow(world);
    expect(world.told).toContainEqual(
      expect.objectContaining({ type: 'heartbeat', status: 'running' }),
    );
  });
});

describe.concurrent('wait', () => {
  it('none: accepted, and asked no further', async () => {
    await using world = await startWorld();
    const report = await sendNow(world, { wait: 'none' });
    expect(report).toMatchObject({ outcome: 'accepted', message: { status: 'queued' }, text: '' });
    expect(report.error).toBeUndefined();
    expect(countOf(world, 'streamMessageEvents')).toBe(0);
  });

  it('poll: the end without the text', async () => {
    await using world = await startWorld();
    const report = await sendNow(world, { wait: 'poll' });
    expect(report).toMatchObject({ outcome: 'succeeded', confirmedBy: 'poll', text: '' });
    expect(countOf(world, 'streamMessageEvents')).toBe(0);
  });

  it('stream: the list is only read before the sending', async () => {
    await using world = await startWorld();
    const report = await sendNow(world, { wait: 'stream' });
    expect(report).toMatchObject({ confirmedBy: 'stream', requests: 3 });
    expect(countOf(world, 'listMessages')).toBe(1);
  });
});

it('sends a message as it is given, once, and follows its own turn', async () => {
  await using world = await startWorld({ dialect: { turnMs: 60 } });
  const other = world.project.sendMessage({ content: 'Another wish.' });
  const body = {
    content: '  Two\n\n  lines. ',
    model: 'large',
    effort: 'high',
    attachmentIds: ['a'],
    skillNames: ['s'],
  };
  const report = await sendNow(world, { body });
  expect(report).toMatchObject({ outcome: 'succeeded' });
  const [, ours, ...more] = world.project.messages;
  expect(more).toEqual([]);
  expect(ours).toMatchObject({ id: report.message?.id, request: body });
  expect(ours?.id).not.toBe(other.id);
});
