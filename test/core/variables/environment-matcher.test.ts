import { describe, expect, test } from 'vitest';
import { EnvironmentMatcher } from '../../../src/variables/evaluate.ts';
import { observedVariable } from './builders.ts';

const shown = (...names: readonly string[]) => ({
  variables: names.map((name) => observedVariable({ id: `id of ${name}`, name })),
});

describe('an environment with A and B, of which C is declared, is recognized by an answer with', () => {
  test.each<[string, readonly string[], boolean]>([
    ['what was there', ['A', 'B'], true],
    ['what was there and what is declared', ['A', 'B', 'C'], true],
    ['one of them gone', ['A'], false],
    ['none of them', [], false],
    ['something that nobody declares', ['A', 'B', 'OTHER'], false],
  ])('%s: %j, %s', (_name, names, is) => {
    expect(new EnvironmentMatcher(shown('A', 'B'), ['C']).recognizes(shown(...names))).toBe(is);
  });

  test('the same names and other ids: no', () => {
    const others = ['A', 'B'].map((name) => observedVariable({ id: `another ${name}`, name }));
    expect(
      new EnvironmentMatcher(shown('A', 'B'), ['A', 'B']).recognizes({ variables: others }),
    ).toBe(false);
  });
});

describe('after a look', () => {
  test('what somebody else made is familiar, and must be shown', () => {
    const environmentMatcher = new EnvironmentMatcher(shown('A'), []);
    environmentMatcher.update(shown('A', 'OTHER'));
    expect(environmentMatcher.recognizes(shown('A', 'OTHER'))).toBe(true);
    expect(environmentMatcher.recognizes(shown('A'))).toBe(false);
  });

  test('what somebody else removed is not missed', () => {
    const environmentMatcher = new EnvironmentMatcher(shown('A', 'B'), []);
    environmentMatcher.update(shown('A'));
    expect(environmentMatcher.recognizes(shown('A'))).toBe(true);
  });
});

test('what is about to be deleted may be there or gone', () => {
  const environmentMatcher = new EnvironmentMatcher(shown('A', 'B'), []);
  environmentMatcher.willDelete('id of B');
  expect(environmentMatcher.recognizes(shown('A'))).toBe(true);
  expect(environmentMatcher.recognizes(shown('A', 'B'))).toBe(true);
  environmentMatcher.update(shown('A', 'B'));
  expect(environmentMatcher.recognizes(shown('A'))).toBe(true);
});
