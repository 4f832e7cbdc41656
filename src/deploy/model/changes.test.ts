import { describe, expect, test } from 'vitest';
import { deployReport } from '../../../test/support/report/builders.ts';
import { sha } from '../../contract/commit.ts';
import { unsafeText } from '../../kernel/text/safe.ts';
import { type Changes, rangeOf, showChanges } from './changes.ts';
import type { DeployReport } from './report.ts';

const [own, before] = [sha('a'.repeat(40)), sha('b'.repeat(40))];
const live = (fields: Partial<DeployReport>): DeployReport =>
  deployReport({ release: { stage: 'succeeded' }, commit: own, liveBefore: before, ...fields });

const commits = [{ sha: own, subject: unsafeText('Fix it (#7)') }];
const compared = (fields: object): Changes => ({
  status: 'ahead',
  ahead: 1,
  behind: 0,
  commits,
  ...fields,
});

const page = 'https://github.com/o/r';
const shown = `[<code>bbbbbbb</code>](${page}/commit/${before})`;
const forward = `([compare](${page}/compare/${before}...${own}))`;
const item = `- [<code>aaaaaaa</code>](${page}/commit/${own}) Fix it (#\u200d7)`;

describe('what went live', () => {
  test.each<[string, Changes, string[]]>([
    [
      'one commit',
      compared({}),
      [`1 commit since ${shown}, which was live before ${forward}.`, item],
    ],
    [
      'more than are shown',
      compared({ ahead: 12 }),
      [`12 commits since ${shown}, which was live before ${forward}.`, `${item}\n- … and 11 older`],
    ],
    [
      'an older commit',
      compared({ status: 'behind', ahead: 0, behind: 2, commits: [] }),
      [
        `A rollback by 2 commits, from ${shown}, which was live before ([compare](${page}/compare/${own}...${before})).`,
      ],
    ],
    [
      'a history that has diverged',
      compared({ status: 'diverged', behind: 1 }),
      [
        `1 commit since ${shown}, which was live before ${forward}. The histories have diverged, as after a force push; no longer live: 1 commit.`,
        item,
      ],
    ],
    [
      'what GitHub did not tell',
      'unread',
      [`Live before: ${shown} ${forward}. What changed could not be read from GitHub.`],
    ],
  ])('is %s', (_, changes, lines) => {
    expect(showChanges(live({}), changes)).toEqual(lines);
  });

  test.each<[string, Partial<DeployReport>, string[]]>([
    ['of the first release', { liveBefore: 'none' }, ['The first release that is recorded here.']],
    ['of the same commit', { liveBefore: own }, ['This commit was live before.']],
    ['where that is not known', { liveBefore: undefined }, []],
    ['of a run that failed', { outcome: 'failed' }, []],
    ['of a run whose deployment is not followed', { outcome: 'accepted' }, []],
    ["of the project's own head", { commit: 'HEAD' }, []],
  ])('is not asked %s', (_, fields, lines) => {
    expect(rangeOf(live(fields))).toBeUndefined();
    expect(showChanges(live(fields), compared({}))).toEqual(lines);
  });

  test('has no links where the pages are not known', () => {
    const subject = { name: unsafeText('Production') };
    expect(showChanges(live({ subject }), compared({}))).toEqual([
      '1 commit since <code>bbbbbbb</code>, which was live before.',
      '- <code>aaaaaaa</code> Fix it (#\u200d7)',
    ]);
  });
});
