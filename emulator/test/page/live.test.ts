// Attack (page): Long traffic, or a browser that reads nothing, fills the memory
// Defense: The latest 1,000 requests are kept; a slow browser is sent the latest state, nothing waits for it

import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { html } from '../../page/html.ts';
import { LivePages } from '../../page/live.ts';
import { RequestLog } from '../../page/request-log.ts';
import { readQuery } from '../../page/sections/requests.ts';

/** A connection to a browser, for as much as pages write to it. */
const connection = () => new PassThrough({ highWaterMark: 1024 });

const query = readQuery(new URLSearchParams());

it('piles nothing up for a browser that reads nothing, and tells it the latest state when it reads again', async () => {
  let state = 0;
  const render = () => html`<p id="part">state ${state} ${'x'.repeat(1500)}</p>`;
  const pages = new LivePages(
    '1',
    () => [{ id: 'part', slot: 'head', render }],
    new RequestLog(10, []),
  );
  const [slow, fast] = [connection(), connection()];
  for (const one of [slow, fast]) pages.connect(one, query, null);
  const first = slow.readableLength + slow.writableLength;
  for (state = 1; state <= 5; state += 1) {
    for await (const chunk of fast.iterator({ destroyOnReturn: false })) {
      if (String(chunk).includes(`state ${state} `)) break;
    }
  }
  expect(slow.readableLength + slow.writableLength).toBe(first);
  let told = '';
  slow.on('data', (chunk) => {
    told += chunk;
  });
  while (!told.includes('state 6 ')) await once(slow, 'data');
  expect(told.match(/state \d/g)).toEqual(['state 0', 'state 6']);
  for (const one of [slow, fast]) one.destroy();
});
