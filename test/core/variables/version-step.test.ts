import { describe, expect, test } from 'vitest';
import { smallestStep, type VersionStep, writtenOver } from '../../../src/variables/evaluate.ts';

const steps = (...all: number[]): VersionStep[] =>
  all.map((step, index) => ({ name: `V${index}`, step }));

test.each<[string, number[], number | undefined, number | undefined]>([
  ['nothing was seen', [], undefined, undefined],
  ['nothing was seen in this run', [], 2, 2],
  ['the first one seen', [3], undefined, 3],
  ['the smallest one seen', [5, 2, 3], undefined, 2],
  ['one smaller than ever before', [1], 2, 1],
  ['one known before', [4], 2, 2],
  ['versions that stand still or go down tell nothing', [0, -1], undefined, undefined],
  ['versions that stand still or go down change nothing', [0, -1], 2, 2],
])('the smallest step: %s', (_name, seen, known, smallest) => {
  expect(smallestStep(steps(...seen), known)).toBe(smallest);
});

describe('a write of somebody else came in between', () => {
  test.each<[string, number[], number | undefined, number[], string[]]>([
    ['of none', [1, 1], 1, [4, 4], []],
    ['of the one that moved further', [1, 2], 1, [4, 4], ['V1']],
    [
      'of the one that moved further than another in the same run',
      [2, 1],
      undefined,
      [4, 4],
      ['V0'],
    ],
    ['of the only variable', [2], 1, [4], ['V0']],
    ['unless no step is known', [2], undefined, [4], []],
    ['unless one write always moves it so far', [2, 2], 2, [4, 4], []],
    ['unless its version went down', [-5, 1], 1, [4, 4], []],
    ['unless the service may count all versions in common', [1, 2], 1, [4, 5], []],
  ])('%s', (_name, seen, known, versions, names) => {
    expect(writtenOver(steps(...seen), known, versions)).toEqual(names);
  });
});
