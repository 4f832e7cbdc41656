import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDuration } from './format.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

test.each([
  ['nothing', 0, '0s'],
  ['less than can be shown', 49, '0s'],
  ['a tenth of a second', 50, '0.1s'],
  ['part of a second', 400, '0.4s'],
  ['a second that is nearly full', 999, '1s'],
  ['whole seconds', 4000, '4s'],
  ['seconds', 12_345, '12.3s'],
  ['just under a minute', 59_949, '59.9s'],
  ['rounded up to a minute', 59_950, '1m'],
  ['a minute', minute, '1m'],
  ['minutes', 2 * minute + 5 * second, '2m 5s'],
  ['twenty minutes', 20 * minute, '20m'],
  ['an hour', hour, '1h'],
  ['hours', hour + 2 * minute + 3 * second, '1h 2m 3s'],
  ['just under a day', 24 * hour - second, '23h 59m 59s'],
  ['days', 7 * day, '7d'],
  ['more than a day', 25 * hour + minute, '1d 1h 1m'],
])('%s', (_name, milliseconds, shown) => {
  expect(formatDuration(milliseconds)).toBe(shown);
});

const unit: Readonly<Record<string, number>> = { d: day, h: hour, m: minute, s: second };

test('what is shown is what was, but for rounding', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100 * hour }), (milliseconds) => {
      const shown = formatDuration(milliseconds);
      expect(shown).toMatch(/^(?=\d)(\d+d ?)?(\d+h ?)?(\d+m ?)?(\d+(\.\d)?s)?$/);
      const parts = shown.match(/[\d.]+[dhms]/g) ?? [];
      const sum = parts.reduce(
        (total, part) => total + Number.parseFloat(part) * (unit[part.slice(-1)] ?? 0),
        0,
      );
      const rounding = milliseconds < 59_950 ? 50 : 500;
      expect(Math.abs(sum - milliseconds)).toBeLessThanOrEqual(rounding);
    }),
  );
});
