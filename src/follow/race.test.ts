import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pollPause } from './race.ts';

test.each([
  ['at once', 0, 291],
  ['after ten seconds', 10_000, 582],
  ['after a minute', 60_000, 2037],
  ['when it grows no more', 157_000, 4850],
  ['after an hour', 3_600_000, 4850],
])('the longest pause %s', (_name, elapsed, pause) => {
  expect(pollPause(elapsed, 0)).toBeCloseTo(pause);
});

test('a pause ends in time, is never nothing, and jitter only shortens it', () => {
  const elapsedTime = fc.double({ min: 0, max: 1e9, noNaN: true });
  const luck = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(elapsedTime, luck, (elapsed, random) => {
      const pause = pollPause(elapsed, random);
      expect(pause).toBeGreaterThan(0);
      expect(pause).toBeLessThanOrEqual(5000);
      expect(pause).toBeLessThanOrEqual(0.03 * elapsed + 300);
      expect(pause).toBeLessThanOrEqual(pollPause(elapsed, 0));
    }),
  );
});
