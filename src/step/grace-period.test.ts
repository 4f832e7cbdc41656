import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { diagnose } from '../kernel/diagnostic.ts';
import { safe } from '../kernel/text/safe.ts';
import { startGracePeriod } from './run-outcome.ts';
import { RunAborted } from './step.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] });
});

afterEach(() => {
  vi.useRealTimers();
});

const cancel = () => new RunAborted('cancelled', diagnose('SD9002', safe`Canceled.`));

// The runner kills a step 10 s after its cancel.
test.each([
  { used: 0, left: 3000 },
  { used: 4000, left: 3000 },
  { used: 6000, left: 2500 },
  { used: 8000, left: 1500 },
  { used: 20_000, left: 1500 },
])('$used ms after a cancel, GitHub has $left ms', ({ used, left }) => {
  const run = AbortSignal.abort(cancel());
  vi.advanceTimersByTime(used);
  const { start, whole } = startGracePeriod(run);
  vi.advanceTimersByTime(left * 0.3 - 1);
  expect(start.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect([start.aborted, whole.aborted]).toEqual([true, false]);
  vi.advanceTimersByTime(left * 0.7 - 1);
  expect(whole.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(whole.aborted).toBe(true);
});

test('a cancel while GitHub is awaited leaves it 3 s', () => {
  const run = new AbortController();
  const { whole } = startGracePeriod(run.signal);
  vi.advanceTimersByTime(5000);
  run.abort(cancel());
  vi.advanceTimersByTime(2999);
  expect(whole.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(whole.aborted).toBe(true);
});

test('another end of the run leaves the usual time', () => {
  const { whole } = startGracePeriod(
    AbortSignal.abort(new RunAborted('timed-out', diagnose('SD5004', safe`Timed out.`))),
  );
  vi.advanceTimersByTime(10_000);
  expect(whole.aborted).toBe(false);
});
