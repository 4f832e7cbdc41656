import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { reset } from '../service/stub.ts';
import { sendNow } from '../support/message.ts';
import { messageId, startScripted } from './scripted.ts';

const content = 'Make it\n  blue.';
const body = { content };
const sendAndForget = (response: ServerResponse) => reset(response);

/** Lists nothing at first, and from the n-th look on these messages. */
const listFrom = (from: number, messages: readonly object[]) => {
  const text = JSON.stringify(messages);
  return (response: ServerResponse, n: number) => response.end(n < from ? '[]' : text);
};

describe.concurrent('after a lost answer', () => {
  it.each([
    ['as it was sent', content],
    ['trimmed', 'Make it\n  blue.\n'],
    ['with other line ends', 'Make it\r\n  blue.'],
    ['on one line', ' Make it blue.'],
  ])('the message is found by its prompt %s', async (_name, prompt) => {
    const list = listFrom(2, [{ messageId, status: 'succeeded', prompt }]);
    await using world = await startScripted({ send: sendAndForget, list });
    const report = await sendNow(world, { body, wait: 'poll' });
    expect(report).toMatchObject({ outcome: 'succeeded', message: { id: messageId } });
    expect(world.sent()).toBe(1);
  });

  it('the message is found although the list shows it late', async () => {
    const list = listFrom(4, [{ messageId, status: 'succeeded', prompt: content }]);
    await using world = await startScripted({ send: sendAndForget, list });
    const report = await sendNow(world, { body, wait: 'poll' });
    expect(report).toMatchObject({ outcome: 'succeeded', message: { id: messageId } });
    expect(world.sent()).toBe(1);
  });

  it.each([
    ['no prompt', {}],
    ['a null one', { prompt: null }],
    ['an empty one', { prompt: ' ' }],
  ])('a new message with %s may be ours: it is not sent again', async (_name, fields) => {
    const list = listFrom(2, [{ messageId, status: 'queued', ...fields }]);
    await using world = await startScripted({ send: sendAndForget, list });
    const report = await sendNow(world, { body });
    expect(report.outcome).toBe('failed');
    expect(report.error).toContain('The message may have been sent.');
    expect(report.error).toContain('before you rerun the job');
    expect(world.sent()).toBe(1);
  });

  it('a list that fails is an error that says so, and it is not sent again', async () => {
    await using world = await startScripted({
      send: sendAndForget,
      list: (response, n) => (n === 1 ? response.end('[]') : response.writeHead(403).end('{}')),
    });
    const report = await sendNow(world, { body });
    expect(report.outcome).toBe('failed');
    expect(report.error).toMatch(
      /response to the message was lost\. Could not list .*returned 403/,
    );
    expect(report.error).toContain('The message may have been sent.');
    expect(world.sent()).toBe(1);
  });

  it('that stays absent and is lost each time says that it may have been sent', async () => {
    await using world = await startScripted({ send: sendAndForget });
    const report = await sendNow(world, { body });
    expect(report.error).toContain('check the service before you rerun the job');
    expect(report.error).toContain('The message may have been sent.');
    expect(report.error).not.toContain('is safe');
    expect(world.sent()).toBe(3);
  });
});

describe.concurrent('a message that was refused', () => {
  it.each([400, 403, 409])(
    'with %i was surely not sent, and costs no long look',
    async (status) => {
      await using world = await startScripted({
        send: (response) => response.writeHead(status).end('{}'),
      });
      const report = await sendNow(world, { body });
      expect(report.outcome).toBe('failed');
      expect(report.error).not.toContain('may have been sent');
      expect(world.stub.received.length).toBeLessThanOrEqual(3);
    },
  );
});
