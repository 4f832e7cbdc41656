import { describe, expect, test } from 'vitest';
import { Familiar } from '../../../src/core/environment/familiar.ts';
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
    expect(new Familiar(shown('A', 'B'), ['C']).recognizes(shown(...names))).toBe(is);
  });

  test('the same names and other ids: no', () => {
    const others = ['A', 'B'].map((name) => observedVariable({ id: `another ${name}`, name }));
    expect(new Familiar(shown('A', 'B'), ['A', 'B']).recognizes({ variables: others })).toBe(false);
  });
});

describe('after a look', () => {
  test('what somebody else made is familiar, and must be shown', () => {
    const familiar = new Familiar(shown('A'), []);
    familiar.look(shown('A', 'OTHER'));
    expect(familiar.recognizes(shown('A', 'OTHER'))).toBe(true);
    expect(familiar.recognizes(shown('A'))).toBe(false);
  });

  test('what somebody else removed is not missed', () => {
    const familiar = new Familiar(shown('A', 'B'), []);
    familiar.look(shown('A'));
    expect(familiar.recognizes(shown('A'))).toBe(true);
  });
});

test('what is about to be deleted may be there or gone', () => {
  const familiar = new Familiar(shown('A', 'B'), []);
  familiar.willDelete('id of B');
  expect(familiar.recognizes(shown('A'))).toBe(true);
  expect(familiar.recognizes(shown('A', 'B'))).toBe(true);
  familiar.look(shown('A', 'B'));
  expect(familiar.recognizes(shown('A'))).toBe(true);
});
