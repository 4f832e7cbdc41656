import { expect, it, test } from 'vitest';
import { linesShown, sendNow } from '../support/message.ts';
import { end, event, startScripted } from './scripted.ts';

const delta = (text: string) => event({ type: 'delta', delta: text });

test.for<{ name: string; stream: string; text: string }>([
  {
    name: "the user's own words",
    stream: event({ role: 'user', content: 'Make it blue.' }) + delta('OK') + end,
    text: 'OK',
  },
  {
    name: 'the text after the end',
    stream: end + event({ type: 'final', text: 'OK' }),
    text: 'OK',
  },
  {
    name: 'the text in blocks after the end',
    stream:
      end +
      event({
        content: [
          { type: 'text', text: 'O' },
          { type: 'text', text: 'K' },
        ],
      }),
    text: 'OK',
  },
])('$name', async ({ stream, text }) => {
  await using world = await startScripted({ streams: [stream] });
  const report = await sendNow(world, { wait: 'stream' });
  expect(report).toMatchObject({ outcome: 'succeeded', confirmedBy: 'stream', text });
  expect(linesShown(world)).toEqual(text.split('\n'));
});

it('the text that comes a while after the end is waited for', async () => {
  const told = Promise.withResolvers<void>();
  const streams = [end + event({ type: 'final', text: 'OK' })];
  await using world = await startScripted({ streams, rest: told.promise });
  const { report: tell } = world.host;
  world.host.report = (progress) => {
    tell(progress);
    if (progress.type === 'status' && progress.status === 'succeeded') told.resolve();
  };
  const report = await sendNow(world, { wait: 'stream' });
  expect(report).toMatchObject({ outcome: 'succeeded', confirmedBy: 'stream', text: 'OK' });
});

it('an end without any text is not waited on for ever', async () => {
  await using world = await startScripted({ streams: [end] });
  const report = await sendNow(world, { wait: 'stream' });
  expect(report).toMatchObject({ outcome: 'succeeded', text: '' });
});
