import { expect, test } from 'vitest';
import { createRedact, createSanitize } from '../kernel/text/redact.ts';
import { describeEmpty, nearNames } from './evaluate.ts';

const clean = createSanitize(createRedact(['a-fake-secret']));
const named = (...names: (string | null)[]) =>
  names.map((name, index) => ({ projectId: `id-${index}`, name }));

test.for<{ pattern: string; names: string[]; near: string[] }>([
  { pattern: 'Shop-*', names: ['blog', 'shop-b', 'shop-a'], near: ['shop-b', 'shop-a'] },
  { pattern: 'shop-one', names: ['shop-two', 'shop-onee', 'x'], near: ['shop-onee', 'shop-two'] },
  { pattern: 'shop', names: ['my shop', 'blog'], near: ['my shop'] },
  { pattern: 'shops-*', names: ['shop-1', 'blog-1', 'docs'], near: ['shop-1'] },
  { pattern: '*', names: [''], near: [] },
  { pattern: 'a*', names: ['zzzzzz'], near: [] },
  { pattern: 'shop-*', names: ['SHOP-1', 'SHOP-1'], near: ['SHOP-1'] },
  {
    pattern: 'shop-*',
    names: Array(9)
      .fill(0)
      .map((_, i) => `Shop-${i}`),
    near: ['Shop-0', 'Shop-1', 'Shop-2', 'Shop-3', 'Shop-4'],
  },
  { pattern: 'shop-*', names: [`Shop-${'x'.repeat(200)}`], near: [] },
])('near $pattern', ({ pattern, names, near }) => {
  expect(nearNames(pattern, names)).toEqual(near);
});

test('where no name is near, some that there are are told', () => {
  const text = describeEmpty(
    named('blog', null, 'docs'),
    { filter: 'all', pattern: 'x*y*z' },
    clean,
  );
  expect(text).toContain('"x*y*z" matches none of the 3 projects');
  expect(text).toContain('Some of their names: "blog", "docs".');
  const none = describeEmpty(named(null), { filter: 'all', pattern: 'x' }, clean);
  expect(none).toContain('None of them has a name.');
});

test('an empty list is no fault of the pattern', () => {
  const text = describeEmpty([], { filter: 'starred', pattern: 'x' }, clean);
  expect(text).toContain('lists no projects with the filter starred');
  expect(text).not.toContain('name-pattern');
});

test('names are shown without secrets, and do nothing', () => {
  const names = named('shop a-fake-secret', '::error::shop');
  const text = describeEmpty(names, { filter: 'all', pattern: 'Shop ?' }, clean);
  expect(text).not.toContain('a-fake-secret');
  expect(text).toContain('"shop ***"');
});
