import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { isBranchName } from '../../src/push/intent.ts';
import { rows } from '../support/exhaustive.ts';

const run = promisify(execFile);

const parts = ['a', '.', '/', '-', '@', '{', '..', '.lock', 'HEAD', '~', '\\', '$(x)', ' ', 'ü'];
const all = parts.flatMap((one) => [one, ...parts.map((other) => `${one}${other}`)]);
/** A program is started for each. */
const names = rows(all, (_, index) => index % 4 === 0);

test('git agrees on the names of branches', async () => {
  const ask = async (name: string) => {
    const asked = run('git', ['check-ref-format', '--branch', name]);
    return await asked.then(
      // It also takes what stands for an earlier branch, and says so by another name.
      ({ stdout }) => stdout === `${name}\n`,
      () => false,
    );
  };
  const agreed = await Promise.all(
    names.map(async (name) => [name, isBranchName(name), await ask(name)]),
  );
  expect(agreed.filter(([, ours, theirs]) => ours !== theirs)).toEqual([]);
});
