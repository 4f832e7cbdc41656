import { describe, expect, test } from 'vitest';
import { head, read } from '../../../test/support/events.ts';
import { sha } from '../../contract/commit.ts';
import { commitWarnings, type JobCommit } from './commit.ts';

const other = sha('d'.repeat(40));
const failed = read('workflow_run', {
  workflow_run: { event: 'push', head_sha: head, conclusion: 'failure' },
});

/** The codes of the warnings about a run of this commit. */
const codes = (event: typeof failed, commit: JobCommit) =>
  commitWarnings(event, commit).map(({ code }) => code);

describe('a failed run', () => {
  test.each<[string, JobCommit]>([
    ['the event has it', { by: 'event', is: head }],
    ['commit-sha is all of it', { by: 'input', is: head }],
    [
      'commit-sha is its first digits',
      { by: 'part', given: { digits: head.slice(0, 7) }, is: head },
    ],
  ])('has a warning if its commit is deployed: %s', (_, commit) => {
    expect(codes(failed, commit)).toEqual(['SD1125']);
  });

  test.each<[string, JobCommit]>([
    ['PREVIOUS', { by: 'part', given: 'PREVIOUS', is: other }],
    ['HEAD', { by: 'input', is: 'HEAD' }],
    ['all digits', { by: 'input', is: other }],
    ['the first digits', { by: 'part', given: { digits: other.slice(0, 7) }, is: other }],
  ])('has none if another is deployed, as to roll back after a failure: %s', (_, commit) => {
    expect(codes(failed, commit)).toEqual([]);
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
  const [warning] = commitWarnings(event, { by: 'event', is: head });
  expect(warning).toMatchObject({ code: 'SD1126', text: expect.stringMatching(named) });
});
