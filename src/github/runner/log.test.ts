// Attack (flooding): A flood of lines blocks `timeout` and cancel
// Defense: After each line, timers and signals get their turn (every 20 ms)

import { expect, test } from 'vitest';
import { createLog } from './log.ts';

test('a rush of lines lets timers have their turn', async () => {
  const log = createLog(String);
  const { signal } = new AbortController();
  let isOver = false;
  setTimeout(() => {
    isOver = true;
  }, 0);
  // Far more than are told in the 20 ms after which it is the timer's turn.
  for (let line = 0; line < 10_000_000 && !isOver; line += 1) await log.drained(signal);
  expect(isOver).toBe(true);
});
