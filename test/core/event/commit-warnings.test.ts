import { describe, expect, test } from 'vitest';
import { type GivenCommit, type RunCommit, sha } from '../../../src/contract/commit.ts';
import { commitWarnings, originOf } from '../../../src/deploy/intent.ts';
import { head, read } from '../events.ts';

const other = sha('d'.repeat(40));
const failed = read('workflow_run', {
  workflow_run: { event: 'push', head_sha: head, conclusion: 'failure' },
});

/** The codes of the warnings about a run of this commit. */
const codes = (event: typeof failed, given: GivenCommit | undefined, commit: RunCommit) =>
  commitWarnings(event, originOf(given, event), commit).map(({ code }) => code);

describe('a failed run', () => {
  test.each<[string, GivenCommit | undefined, RunCommit]>([
    ['the event has it', undefined, head],
    ['commit-sha is all of it', head, head],
    ['commit-sha is its first digits', { digits: head.slice(0, 7) }, head],
  ])('has a warning if its commit is deployed: %s', (_, given, commit) => {
    expect(codes(failed, given, commit)).toEqual(['SD1125']);
  });

  test.each<[GivenCommit, RunCommit]>([
    ['PREVIOUS', other],
    ['HEAD', 'HEAD'],
    [other, other],
    [{ digits: other.slice(0, 7) }, other],
  ])('has none if another is deployed, as to roll back after a failure: %s', (given, commit) => {
    expect(codes(failed, given, commit)).toEqual([]);
  });
});

test.each([
  [read('label', {}), /because no commit belongs to the event "label"\./],
  [
    read('workflow_run', {
      workflow_run: { event: 'label', head_sha: head, conclusion: 'success' },
    }),
    /because no commit belongs to a workflow_run triggered by "label"\./,
  ],
])('an event without a commit is named', (event, named) => {
  const [warning] = commitWarnings(event, originOf(undefined, event), head);
  expect(warning).toMatchObject({ code: 'SD1126', text: expect.stringMatching(named) });
});
