import { expect, it, test } from 'vitest';
import { abortOn } from '../support/abort-on.ts';
import { sendNow } from '../support/message.ts';
import { end, event, messageId, startScripted } from './scripted.ts';

const chunk = (text: string) => event({ type: 'chunk', text });

test.for<{ name: string; before: object }>([
  { name: 'a tool', before: { type: 'tool', name: 'edit', status: 'completed' } },
  { name: 'a tool that failed', before: { type: 'tool_call', status: 'failed' } },
  { name: 'a tool that names the turn', before: { messageId, tool: 'edit', status: 'completed' } },
  { name: 'something without a kind', before: { status: 'failed' } },
  { name: 'a kind that no table has', before: { type: 'zorp', status: 'completed' } },
])("$name that ends is not the turn's end, whatever closes", async ({ before }) => {
  const begun = chunk('one, ') + event(before) + chunk('two');
  await using world = await startScripted({ streams: [begun, '', '', '', end] });
  const report = await sendNow(world, { wait: 'stream' });
  expect(report).toMatchObject({ outcome: 'succeeded', confirmedBy: 'stream', text: 'one, two' });
  expect(world.told.filter(({ type }) => type === 'build-log')).toHaveLength(1);
});

it('a hint that nobody contradicts is believed once the stream has closed twice', async () => {
  const streams = [chunk('one') + event({ status: 'completed' })];
  await using world = await startScripted({ streams });
  const report = await sendNow(world, { wait: 'stream' });
  expect(report).toMatchObject({ outcome: 'succeeded', message: { status: 'completed' } });
});

it('a hint is not the status of the message', async () => {
  const streams = [event({ type: 'zorp', status: 'completed' }) + chunk('one\n')];
  await using world = await startScripted({ streams });
  abortOn(world, ({ type }) => type === 'build-log');
  const report = await sendNow(world, { wait: 'stream' });
  expect(report).toMatchObject({ outcome: 'timed-out', message: { status: 'queued' } });
});

it('a hint does not cut the text that comes once the list has told the end', async () => {
  const list = JSON.stringify([{ messageId, status: 'succeeded' }]);
  const streams = [chunk('one, ') + event({ status: 'completed' }), chunk('one, ') + chunk('two')];
  await using world = await startScripted({
    streams,
    list: (response, n) => response.end(n === 1 ? '[]' : list),
  });
  const report = await sendNow(world);
  expect(report).toMatchObject({ outcome: 'succeeded', confirmedBy: 'poll', text: 'one, two' });
});
