// Attack (files): The `ref` of a checkout is an option of git
// Defense: Options end before it

import { expect, test } from 'vitest';
import { startOwn } from './support.ts';

test.each(['--multiple', '--stdin', '--tags'])('a ref is no option of git: %s', async (ref) => {
  await using own = await startOwn();
  const steps = [{ uses: 'actions/checkout@v6', with: { ref } }];
  const workflow = { on: 'push', jobs: { a: { 'runs-on': 'x', steps } } };
  await own.push('trunk', { '.github/workflows/a.yml': JSON.stringify(workflow) });
  expect(own.log().at(-1)).toContain(`a: Error: can't fetch ${ref}: `);
});

test.each([
  ['..site', 'success'],
  ['a/../b', 'success'],
  ['..', 'failure'],
  ['../other', 'failure'],
])('a path is in the workspace, or the checkout fails: %s', async (path, conclusion) => {
  await using own = await startOwn();
  const steps = [{ uses: 'actions/checkout@v6', with: { path } }];
  const workflow = { on: 'push', jobs: { a: { 'runs-on': 'x', steps } } };
  await own.push('trunk', { '.github/workflows/a.yml': JSON.stringify(workflow) });
  expect(own.ends().at(-1)).toContain(conclusion);
});
