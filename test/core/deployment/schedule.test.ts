import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pollPause } from '../../../src/core/deployment/schedule.ts';

test.each([
  ['at once', 0, 475],
  ['after ten seconds', 10_000, 950],
  ['after a minute', 60_000, 3325],
  ['when it grows no more', 90_000, 4750],
  ['after an hour', 3_600_000, 4750],
])('the longest pause %s', (_name, elapsed, pause) => {
  expect(pollPause(elapsed, 0)).toBe(pause);
});

test('a pause ends in time, is never nothing, and jitter only shortens it', () => {
  const elapsedTime = fc.double({ min: 0, max: 1e9, noNaN: true });
  const luck = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(elapsedTime, luck, (elapsed, random) => {
      const pause = pollPause(elapsed, random);
      expect(pause).toBeGreaterThan(0);
      expect(pause).toBeLessThanOrEqual(5000);
      expect(pause).toBeLessThanOrEqual(elapsed / 20 + 500);
      expect(pause).toBeLessThanOrEqual(pollPause(elapsed, 0));
    }),
  );
});
