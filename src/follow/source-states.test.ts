import { expect, test } from 'vitest';
import { safe } from '../kernel/text/safe.ts';
import { gracePeriod, SourceStates } from './tracker.ts';

test('a path that is not found is absent once that has lasted, and anew after each answer', () => {
  let now = 1000;
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  const states = new SourceStates(clock, ['poll']);
  const why = safe`not found`;
  const missing = () => {
    states.missing('poll', why, false);
    return states.absenceOf('poll');
  };
  expect(missing()).toBeUndefined();
  now += gracePeriod - 1;
  expect(missing()).toBeUndefined();
  now += 1;
  expect(missing()).toBe(why);
  states.answered('poll');
  expect(missing()).toBeUndefined();
});
