import { expect, test } from 'vitest';
import { confirmations } from '../follow/model/evaluate.ts';
import { type Outcome, outcomes } from '../kernel/outcome.ts';
import { nameOf, titleOf } from './closing.ts';

const all = Object.keys(outcomes) as Outcome[];

test('every outcome has a title of its own', () => {
  const titles = all.map(titleOf);
  expect(new Set(titles).size).toBe(all.length);
  for (const title of titles) expect(title).toMatch(/^\p{Extended_Pictographic}\ufe0f? \p{Lu}/u);
});

test.each(all)('the title of %s ends in its name', (outcome) => {
  expect(titleOf(outcome).endsWith(` ${nameOf(outcome)}`)).toBe(true);
});

test('every confirmation has words of its own', () => {
  const words = Object.values(confirmations);
  expect(new Set(words).size).toBe(words.length);
});
