import { expect, test } from 'vitest';
import { ConcurrencyGroups } from '../../workflow/concurrency.ts';
import { legsOf } from '../../workflow/matrix.ts';
import { passes } from '../../workflow/patterns.ts';
import { reasonAgainst } from '../../workflow/triggers.ts';

test.each<[string, string[], boolean]>([
  ['main', ['main'], true],
  ['main', ['m'], false],
  ['feature/a', ['feature/*'], true],
  ['feature/a/b', ['feature/*'], false],
  ['feature/a/b', ['feature/**'], true],
  ['releases/1', ['**', '!releases/**'], false],
  ['releases/1-alpha', ['releases/**', '!releases/**-alpha'], false],
  ['releases/1-alpha', ['!releases/**-alpha', 'releases/**'], true],
  ['v1.10', ['v[12].[0-9]+'], true],
  ['v3.1', ['v[12].[0-9]+'], false],
  ['page.jsx', ['*.jsx?'], true],
  ['page.js', ['*.jsx?'], true],
  ['a.b', ['a\\.b'], true],
  ['axb', ['a.b'], false],
  ['README.md', ['**/README.md'], true],
  ['docs/README.md', ['**/README.md'], true],
  ['docs/MYREADME.md', ['**/README.md'], false],
])('%s passes %j: %s', (name, patterns, expected) => {
  expect(passes(name, patterns)).toBe(expected);
});

test.each<[object, object, string | undefined]>([
  [{ push: {} }, { name: 'push', ref: 'refs/heads/any' }, undefined],
  [{ push: {} }, { name: 'push', ref: 'refs/tags/any' }, undefined],
  [{ push: { branches: ['main'] } }, { name: 'push', ref: 'refs/tags/main' }, 'this is a tag'],
  [{ push: { tags: ['v*'] } }, { name: 'push', ref: 'refs/heads/v1' }, 'this is a branch'],
  [{ push: { 'branches-ignore': ['x'] } }, { name: 'push', ref: 'refs/heads/x' }, 'branch x'],
  [{ push: { paths: ['a/**'] } }, { name: 'push', ref: 'refs/heads/x', files: ['b'] }, 'files'],
  [{ push: { paths: ['a/**'] } }, { name: 'push', ref: 'refs/heads/x', files: ['a/b'] }, undefined],
  [{ push: {} }, { name: 'schedule', ref: 'refs/heads/x' }, 'no schedule'],
  [{ pull_request: {} }, { name: 'pull_request', action: 'closed', ref: 'refs/heads/x' }, 'closed'],
  [
    { pull_request: { types: ['closed'], branches: ['main'] } },
    { name: 'pull_request', action: 'closed', ref: 'refs/heads/x' },
    'branch x',
  ],
])('on: %j and %j: %s', (events, what, expected) => {
  type Given = Parameters<typeof reasonAgainst>;
  const reason = reasonAgainst(events as Given[0], what as Given[1]);
  if (expected === undefined) expect(reason).toBeUndefined();
  else expect(reason).toContain(expected);
});

test('a matrix has the legs that GitHub documents for include and exclude', () => {
  const fruit = ['apple', 'pear'];
  const animal = ['cat', 'dog'];
  const include = [
    { color: 'green' },
    { color: 'pink', animal: 'cat' },
    { fruit: 'apple', shape: 'circle' },
    { fruit: 'banana' },
    { fruit: 'banana', animal: 'cat' },
  ];
  expect(legsOf({ fruit, animal, include })).toEqual([
    { fruit: 'apple', animal: 'cat', color: 'pink', shape: 'circle' },
    { fruit: 'apple', animal: 'dog', color: 'green', shape: 'circle' },
    { fruit: 'pear', animal: 'cat', color: 'pink' },
    { fruit: 'pear', animal: 'dog', color: 'green' },
    { fruit: 'banana' },
    { fruit: 'banana', animal: 'cat' },
  ]);
  expect(legsOf({ fruit, animal, exclude: [{ fruit: 'pear' }] })).toHaveLength(2);
  expect(legsOf({ include: [{ a: 1 }] })).toEqual([{ a: 1 }]);
  expect(() => legsOf({ fruit: [] })).toThrow('does not contain any values');
});

test('a group has one run at work; a newer one replaces one that waits, unless all wait; or it cancels', async () => {
  const groups = new ConcurrencyGroups();
  const order: string[] = [];
  const ends = new Map<string, () => void>();
  const start = (name: string, more: { isQueue?: boolean; cancelsRunning?: boolean } = {}) =>
    groups.run(
      { name: 'Site', cancelsRunning: false, isQueue: false, ...more },
      () => ends.get(name)?.(),
      () =>
        new Promise<string>((resolve) => {
          order.push(name);
          ends.set(name, () => resolve(name));
        }),
    );
  const first = start('first');
  const replaced = start('replaced');
  const third = start('third');
  expect(await replaced).toBeUndefined();
  const fourth = start('fourth', { isQueue: true });
  await Promise.resolve();
  expect(order).toEqual(['first']);
  ends.get('first')?.();
  expect(await first).toBe('first');
  await expect.poll(() => order).toEqual(['first', 'third']);
  ends.get('third')?.();
  expect(await third).toBe('third');
  await expect.poll(() => order).toEqual(['first', 'third', 'fourth']);
  const last = start('last', { cancelsRunning: true });
  expect(await fourth).toBe('fourth');
  await expect.poll(() => order.at(-1)).toBe('last');
  ends.get('last')?.();
  expect(await last).toBe('last');
});
