import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { longest, waiting } from '../support/order.ts';

const inTests = (path: string) =>
  statSync(join(import.meta.dirname, '..', path), { throwIfNoEntry: false });

test('the order of the tests names files and folders that exist', () => {
  expect(longest.filter((path) => inTests(path)?.isFile() !== true)).toEqual([]);
  expect(waiting.filter((path) => inTests(path)?.isDirectory() !== true)).toEqual([]);
});

test.each(longest)('%s, which begins first, is one of those that wait', (path) => {
  expect(waiting.some((folder) => path.startsWith(`${folder}/`))).toBe(true);
});
