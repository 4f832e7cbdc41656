import { describe, expect, test } from 'vitest';
import {
  type Candidate,
  chooseProject,
  readSituation,
  type Situation,
} from '../../../src/blue-green/plan.ts';

const projects = ['blue', 'green'] as const;
const none = undefined;

describe('two projects and their domains', () => {
  test.each<[string, Record<string, string | undefined>, string | undefined, Situation]>([
    ['with nothing connected', {}, none, { kind: 'together', live: none, idle: 'blue' }],
    [
      'all on the first',
      { a: 'blue', b: 'blue' },
      none,
      { kind: 'together', live: 'blue', idle: 'green' },
    ],
    [
      'all on the second',
      { a: 'green' },
      'green',
      { kind: 'together', live: 'green', idle: 'blue' },
    ],
    ['one on a third', { a: 'blue', b: 'red' }, none, { kind: 'foreign', hostnames: ['b'] }],
    [
      'one on each',
      { a: 'blue', b: 'green' },
      'green',
      { kind: 'apart', holders: ['blue', 'green'], marked: 'green' },
    ],
    [
      'one on each, and a preview elsewhere',
      { a: 'green', b: 'blue' },
      'red',
      { kind: 'apart', holders: ['blue', 'green'], marked: none },
    ],
    ['one loose', { a: 'blue', b: none }, none, { kind: 'apart', holders: ['blue'], marked: none }],
    [
      'all loose, after a first run',
      { a: none },
      'green',
      { kind: 'apart', holders: [], marked: 'green' },
    ],
    [
      'all loose, before any run',
      { a: none },
      none,
      { kind: 'together', live: none, idle: 'blue' },
    ],
  ])('%s', (_, slots, preview, situation) => {
    const view = { projects, slots: new Map(Object.entries(slots)), preview };
    expect(readSituation(view)).toEqual(situation);
  });
});

describe('domains that are apart belong', () => {
  const of = (blue: boolean | undefined, green: boolean | undefined) =>
    [
      { project: 'blue', passes: blue },
      { project: 'green', passes: green },
    ] as [Candidate, Candidate];
  test.each([
    ['on the one whose checks hold', true, false, 'green', 'blue'],
    ['on the one whose checks hold', false, true, 'blue', 'green'],
    ['where they were being moved to, if both hold', true, true, 'green', 'green'],
    ['where they were being moved to, if both hold', true, true, 'blue', 'blue'],
    ['where they were being moved to, if nothing tells', none, none, 'green', 'green'],
    ['where they were, if neither holds', false, false, 'green', 'blue'],
    ['where they were, if neither holds', false, false, 'blue', 'green'],
    ['on the one that nothing speaks against', none, false, 'green', 'blue'],
  ])('%s: %s, %s, to %s', (_, blue, green, marked, where) => {
    expect(chooseProject(of(blue, green), marked)).toBe(where);
  });
});
