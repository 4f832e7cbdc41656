import { expect, test } from 'vitest';
import { linesShown, sendNow } from '../support/message.ts';
import { end, event, messageId, startScripted } from './scripted.ts';

const head = event({ messageId, status: 'running' });
const id = 'id: 1\n';
const said = (...pieces: string[]) =>
  pieces.map((text) => `event: chunk\ndata: ${JSON.stringify({ text })}\n\n`).join('');

test.for<{ name: string; bodies: string[]; text: string }>([
  {
    name: 'from the start each time',
    bodies: [head + said('one, ', 'two, '), head + said('one, ', 'two, ', 'three')],
    text: 'one, two, three',
  },
  {
    name: 'and is shorter the second time',
    bodies: [head + said('a', 'b', 'c'), head + said('a'), head + said('a', 'b', 'c', 'd')],
    text: 'abcd',
  },
  {
    name: 'whose pieces are all alike',
    bodies: [head + said('ha '), head + said('ha ', 'ha '), head + said('ha ', 'ha ', 'ha')],
    text: 'ha ha ha',
  },
  {
    name: 'from the start, and only statuses have ids',
    bodies: [id + head + said('one, ', 'two, '), id + head + said('one, ', 'two, ', 'three')],
    text: 'one, two, three',
  },
  {
    name: 'after a status, and only statuses have ids',
    bodies: [id + head + said('one, ', 'two, '), said('one, ', 'two, ', 'three'), said('one, ')],
    text: 'one, two, three',
  },
  {
    name: 'with its pieces cut elsewhere',
    bodies: [head + said('one, ', 'two, '), head + said('one', ', two', ', three')],
    text: 'one, two, three',
  },
  {
    name: 'in one piece',
    bodies: [head + said('one, ', 'two, '), head + said('one, two, three')],
    text: 'one, two, three',
  },
])('a stream that begins anew $name says nothing twice', async ({ bodies, text }) => {
  await using world = await startScripted({ streams: [...bodies, end] });
  const report = await sendNow(world, { wait: 'stream' });
  expect(report).toMatchObject({ outcome: 'succeeded', confirmedBy: 'stream', text });
  expect(linesShown(world)).toEqual([text]);
});
