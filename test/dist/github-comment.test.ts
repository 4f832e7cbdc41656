import { describe, expect, it } from 'vitest';
import { startGitHub } from '../../emulator/github/index.ts';
import { markerSigner, writeMarker } from '../../src/comments/model/marker.ts';
import { deriveLedgerKeys } from '../../src/ledger/model/keys.ts';
import { rows } from '../support/exhaustive.ts';
import {
  number,
  type PullRequestWorld,
  repository,
  startPullRequest,
} from './pull-request-world.ts';

const actionsBot = 'github-actions[bot]';

/** A comment with the marker that a run of this number writes. */
function marked(world: PullRequestWorld, runId: string, words = 'earlier words'): string {
  const { marker: key } = deriveLedgerKeys(world.emulator.key);
  const marker = { key: world.project.id, runId, runAttempt: '1' };
  const signed = markerSigner(key, repository, number).sign(marker, undefined);
  return `${writeMarker(signed)}\n\n${words}`;
}

/** How often GitHub was asked for an operation. */
function countOf({ github }: PullRequestWorld, operationId: string): number {
  return github.journal.filter((entry) => entry.operationId === operationId).length;
}

describe.concurrent('the comment that is ours', () => {
  const others: [string, author: string, quote: (body: string) => string][] = [
    [
      'one of our bot that quotes the marker further down',
      actionsBot,
      (body: string) => `> see\n${body}`,
    ],
    [
      'one of our bot that quotes it in its first line',
      actionsBot,
      (body: string) => `See ${body}`,
    ],
    ['one of another bot that begins with it', 'helper[bot]', (body: string) => body],
    ['one of a person that begins with it', 'octocat', (body: string) => body],
  ];
  // Where a marker stands, and whose it is.
  it.each(rows(others, (_, index) => index === 1 || index === 2))(
    'is never %s',
    async (_, author, quote) => {
      await using world = await startPullRequest();
      const { github } = world;
      const body = quote(marked(world, '1'));
      const [other] = github.addComments(repository, number, [{ author, body }]);
      await world.run('opened');
      const [first, ours, ...more] = github.comments(repository, number);
      expect(first).toMatchObject({ id: other?.id, body });
      expect(ours?.body).toContain('7 is live');
      expect(more).toEqual([]);
      expect(github.violations).toEqual([]);
    },
  );

  it.each([
    ['that shows what it is', 'ghs_fake'],
    ['that shows it by a refusal', 'fake-github-token'],
  ])(
    "is found again by another app's token %s, and no other bot's is taken for it",
    async (_, token) => {
      await using world = await startPullRequest();
      await using github = await startGitHub({ login: 'deploy-app[bot]', token });
      for (const [key, one] of world.github.pullRequests) github.pullRequests.set(key, one);
      const body = marked(world, '1');
      github.addComments(repository, number, [{ author: 'helper[bot]', body }]);
      for (const action of ['opened', 'synchronize']) {
        const result = await world.run(action, { github: { apiUrl: github.url, token } });
        expect(result.outputs['outcome']).toBe('succeeded');
      }
      const [other, ours, ...more] = github.comments(repository, number);
      expect(other?.body).toBe(body);
      expect(ours).toMatchObject({ body: expect.stringContaining('run=102 ') });
      expect(more).toEqual([]);
      expect(github.violations).toEqual([]);
    },
  );

  it.each([
    ['ghs_fake', 0],
    ['fake-github-token', 2],
  ])('is found by %s, which is asked whose it is %i times', async (token, times) => {
    await using world = await startPullRequest();
    await using github = await startGitHub({ token });
    for (const [key, one] of world.github.pullRequests) github.pullRequests.set(key, one);
    const given = { github: { apiUrl: github.url, token } };
    for (const action of ['opened', 'synchronize', 'closed']) {
      const one = github.pullRequests.get(`${repository}#${number}`);
      if (action === 'closed' && one) Object.assign(one, { state: 'closed' });
      await world.run(action, given);
    }
    const asked = github.journal.filter((one) => one.operationId === 'users/get-authenticated');
    expect(asked.length).toBe(times);
    const [ours, ...more] = github.comments(repository, number);
    expect(ours?.body).toContain('The pull request is closed');
    expect(more).toEqual([]);
    expect(github.violations).toEqual([]);
  });

  it("is not guessed from an app's name when only the rate limit hides the user's", async () => {
    await using world = await startPullRequest();
    const author = actionsBot;
    world.github.addComments(repository, number, [{ author, body: marked(world, '1') }]);
    world.github.trouble = { 'users/get-authenticated': 'rate-limit' };
    const result = await world.run('opened');
    expect(result.outputs['outcome']).toBe('succeeded');
    expect(world.comments()).toEqual([marked(world, '1')]);
    expect(JSON.stringify(result.annotations)).toContain('rate limit');
  });

  it('is found once in a run: its end needs no list', async () => {
    await using world = await startPullRequest();
    await world.run('opened');
    expect(countOf(world, 'issues/create-comment')).toBe(1);
    const lists = countOf(world, 'issues/list-comments');
    await world.run('synchronize');
    expect(countOf(world, 'issues/list-comments')).toBe(lists + 1);
    expect(world.github.violations).toEqual([]);
  });
});

describe.concurrent('a comment that changes under our hands', () => {
  it.each([
    ['an older run', '1', '7 is live'],
    ['a newer run', '999', 'words of the other'],
  ])('created by %s at the same time is the one that stays', async (_, runId, words) => {
    await using world = await startPullRequest();
    const { github } = world;
    const body = marked(world, runId, 'words of the other');
    let isFirst = true;
    github.on('issues/create-comment', () => {
      if (isFirst) github.addComments(repository, number, [{ author: actionsBot, body }]);
      isFirst = false;
    });
    const result = await world.run('opened');
    const [ours, ...more] = github.comments(repository, number);
    expect(ours?.body).toContain(words);
    expect(more).toEqual([]);
    expect(result.outputs['comment-url']).toBe(ours?.html_url);
    expect(github.violations).toEqual([]);
  });

  it.each([
    ['issues/get-comment', 'before the end reads it'],
    ['issues/update-comment', 'after the end has read it'],
  ] as const)('deleted at %s (%s) is created anew', async (operation, _) => {
    await using world = await startPullRequest();
    world.github.on(operation, () => world.github.comments(repository, number).splice(0));
    const result = await world.run('opened');
    expect(world.comments()).toHaveLength(1);
    expect(world.comments()[0]).toContain('7 is live');
    expect(result.annotations).toEqual([]);
    expect(world.github.violations).toEqual([]);
  });

  it('keeps its words when the pull request turns out to be open', async () => {
    await using world = await startPullRequest();
    await world.run('opened');
    const before = world.comments();
    const result = await world.run('closed');
    expect(result.outputs['skipped-reason']).toBe('pull-request-open');
    expect(world.comments()).toEqual(before);
  });
});

describe.concurrent('what GitHub refuses', () => {
  // Of all of them: src/github/errors.test.ts.
  it.each([
    ['forbidden', /\(GitHub returned 403\): Resource not accessible by integration\. Add/, true],
    [
      'reset',
      /^Could not write the comment: GitHub at 127\.0\.0\.1:\d+ is unreachable: the connection broke: .* \(SD8005\)$/,
      false,
    ],
  ] as const)('(%s) is said with the right advice', async (trouble, words, advises) => {
    await using world = await startPullRequest();
    world.github.trouble = { comments: trouble };
    const { annotations, outputs } = await world.run('opened');
    expect(outputs['outcome']).toBe('succeeded');
    const [warning, ...more] = annotations.map(({ message }) => message);
    expect(more).toEqual([]);
    expect(warning).toMatch(words);
    expect(warning?.includes("the job's permissions")).toBe(advises);
  });
});
