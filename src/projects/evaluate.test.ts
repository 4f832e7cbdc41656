import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Project } from '../contract/project.ts';
import { unsafeText } from '../kernel/text/safe.ts';
import { inShard, matrixOf, maxJobs, nameFilter, whyTooMany } from './evaluate.ts';

const matching = (projects: readonly Project[], pattern: string | undefined): Project[] =>
  projects.filter(nameFilter(pattern));

const project = (projectId: string, name?: string): Project =>
  name === undefined ? { projectId } : { projectId, name };

const fleet = (count: number): Project[] =>
  Array.from({ length: count }, (_, index) => project(`id-${index}`, `project ${index}`));

const idsOf = (projects: readonly Project[]) => projects.map(({ projectId }) => projectId);

test.for<{ pattern: string; matches: string[]; others: string[] }>([
  { pattern: 'shop-*', matches: ['shop-1', 'shop-'], others: ['shop', 'my-shop-1', 'Shop-1'] },
  { pattern: '*-prod', matches: ['a-prod', '-prod'], others: ['a-prod-2'] },
  { pattern: 'shop-?', matches: ['shop-1'], others: ['shop-', 'shop-12'] },
  { pattern: 'shop-[ab]', matches: ['shop-a', 'shop-b'], others: ['shop-c', 'shop-ab'] },
  { pattern: '{shop,blog}-1', matches: ['shop-1', 'blog-1'], others: ['docs-1'] },
  { pattern: '*', matches: ['a', 'two words', 'ä😀'], others: [] },
  { pattern: 'exact', matches: ['exact'], others: ['exactly', 'inexact', ''] },
  { pattern: 'a.b', matches: ['a.b'], others: ['aXb'] },
  { pattern: 'two words', matches: ['two words'], others: ['two  words'] },
  { pattern: '*-1', matches: ['.shop-1', 'a/b-1', '../-1', '-1'], others: ['a-1/b'] },
  { pattern: 'a/./b', matches: ['a/./b'], others: ['a/b'] },
  { pattern: '?', matches: ['a', '😀', '/'], others: ['', 'ab'] },
  { pattern: '[!a-c]x', matches: ['dx', '😀x'], others: ['ax', 'x', 'bx'] },
  { pattern: '[]a-]', matches: [']', 'a', '-'], others: ['b', ''] },
  { pattern: '[ab', matches: ['[ab'], others: ['a'] },
  { pattern: '{a,b{c,d}*,}!', matches: ['a!', 'bc!', 'bdx!', '!'], others: ['b!', 'a'] },
  { pattern: '{a,[}]}', matches: ['a', '}'], others: ['[}]'] },
  { pattern: '{a,?', matches: ['{a,x'], others: ['a', '{a,'] },
  { pattern: 'a,b}', matches: ['a,b}'], others: ['a'] },
  { pattern: '!(a)+@', matches: ['!(a)+@'], others: ['b'] },
])('the pattern $pattern', ({ pattern, matches, others }) => {
  const projects = [...matches, ...others].map((name, index) => project(`${index}`, name));
  expect(matching(projects, pattern).map(({ name }) => name)).toEqual(matches);
});

test.for<[pattern: string, matches: boolean]>([
  ['*a'.repeat(85), true],
  [`${'*a'.repeat(85)}b`, false],
  [`${'{*,*a}'.repeat(40)}b`, false],
  ['{'.repeat(256), false],
  ['{a,'.repeat(85), false],
  ['['.repeat(256), false],
  [`${'{*,'.repeat(60)}${'}'.repeat(60)}b`, false],
])('the time of a pattern does not explode: %s', ([pattern, matches]) => {
  expect(matching([project('a', 'a'.repeat(400))], pattern)).toHaveLength(matches ? 1 : 0);
});

test('without a pattern every project matches, also one without a name', () => {
  expect(matching([project('a'), project('b', 'b')], undefined)).toHaveLength(2);
  expect(matching([project('a')], 'shop-*')).toEqual([]);
});

describe('parts', () => {
  const ids = fc.uniqueArray(fc.uuid(), { maxLength: 60 });
  const parts = fc.integer({ min: 1, max: 12 });
  const split = (projects: readonly Project[], of: number) =>
    Array.from({ length: of }, (_, index) => inShard(projects, { index: index + 1, of }));

  test('are complete, disjoint and even', () => {
    fc.assert(
      fc.property(ids, parts, (all, of) => {
        const shards = split(
          all.map((id) => project(id)),
          of,
        );
        expect(shards.flatMap(idsOf).sort()).toEqual(all.toSorted());
        const sizes = shards.map(({ length }) => length);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('hold the same projects in whatever order the service lists them, in that order', () => {
    const orders = ids.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(orders, parts, ([one, other], of) => {
        const listed = other.map((id) => project(id));
        const before = split(
          one.map((id) => project(id)),
          of,
        ).map((part) => idsOf(part).sort());
        const after = split(listed, of);
        expect(after.map((part) => idsOf(part).toSorted())).toEqual(before);
        for (const part of after) {
          expect(part).toEqual(listed.filter((one) => part.includes(one)));
        }
      }),
    );
  });

  test('may be more than there are projects', () => {
    expect(split(fleet(2), 5).map(({ length }) => length)).toEqual([0, 0, 1, 0, 1]);
  });

  test('are all projects if there is no part', () => {
    expect(inShard(fleet(3), undefined)).toEqual(fleet(3));
  });
});

describe('a matrix', () => {
  const clean = (text: string) => unsafeText(text.replaceAll('\u001b', ''));

  test('names each project by clean id and name', () => {
    const projects = [project('a\u001b', 'x\u001b'), project('b')];
    expect(matrixOf(projects, clean)).toEqual({
      include: [
        { 'project-id': 'a', name: 'x' },
        { 'project-id': 'b', name: '' },
      ],
    });
  });

  test('holds 256 entries', () => {
    expect(whyTooMany(fleet(maxJobs), undefined)).toBeUndefined();
    expect(matrixOf(fleet(maxJobs), clean)).toMatchObject({ include: { length: 256 } });
    expect(matrixOf([], clean)).toEqual({ include: [] });
  });

  test.for<{ all: number; shard: { index: number; of: number } | undefined; parts: number }>([
    { all: 257, shard: undefined, parts: 2 },
    { all: 512, shard: undefined, parts: 2 },
    { all: 513, shard: undefined, parts: 3 },
    { all: 10_000, shard: undefined, parts: 40 },
    { all: 1000, shard: { index: 1, of: 3 }, parts: 6 },
    { all: 1000, shard: { index: 3, of: 3 }, parts: 6 },
  ])('of $all, shard $shard, is an error that says into $parts parts', ({ all, shard, parts }) => {
    const why = whyTooMany(inShard(fleet(all), shard), shard);
    expect(why).toContain(`shard: 1/${parts} to ${parts}/${parts}`);
    for (let index = 1; index <= parts; index += 1) {
      const part = { index, of: parts };
      expect(whyTooMany(inShard(fleet(all), part), part)).toBeUndefined();
    }
  });
});
