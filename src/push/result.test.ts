import { expect, test } from 'vitest';
import { unsafeText } from '../kernel/text/safe.ts';
import { type GitStep, gitLines } from './result.ts';

const detail = unsafeText('the connection broke');

test.each<[GitStep, string[]]>([
  [{ step: 'read-branch' }, []],
  [{ step: 'fetch-commit', part: 'history' }, ['Fetching the history of the commit from GitHub']],
  [
    { step: 'fetch-commit', part: 'files', isClone: true },
    ["Fetching the files of the commits to push from the repository's server"],
  ],
  [{ step: 'fetch-branch' }, ["Fetching the history of the project's branch"]],
  [{ step: 'push', commits: 1, forced: false }, []],
  [{ step: 'again', pause: 1500, detail }, ['Git failed; retrying in 1.5s. the connection broke']],
])('%j is logged', (step, lines) => {
  expect(gitLines(step)).toEqual(lines.map((text) => ({ kind: 'line', text })));
});
