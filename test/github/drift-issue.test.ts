import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type GitHubRequest,
  type GitHubStandIn,
  startGitHub,
} from '../../emulator/github/index.ts';
import { type DriftFinding, reportDrift } from '../../src/comments/drift-issue.ts';
import { assemble } from '../../src/comments/model/assemble.ts';
import { readMarker, writeMarker } from '../../src/comments/model/marker.ts';
import { read } from '../support/events.ts';
import { runs } from '../support/exhaustive.ts';

const repository = 'octo-org/octo-site';
const bot = 'github-actions[bot]';
const key = 'env-sync\0project';
const operations = ['issues/list-for-repo', 'issues/create', 'issues/update'] as const;

/** One run, which found this drift, or none. */
function report(github: GitHubStandIn, run: number, drift: string | false, token = github.token) {
  const said: string[] = [];
  const note = (entry: unknown) => said.push(JSON.stringify(entry));
  const step = {
    context: {
      event: read('schedule', { repository: { id: 1, full_name: repository } }),
      identity: { runId: String(run), runAttempt: '1' },
      repository,
      // A spelling of its own, so that each run has connections of its own, as in a process of its own.
      apiUrl: github.url.replace(/:(?=\d+$)/, `:${'0'.repeat(run % 100)}`),
      runUrl: `https://github.com/${repository}/actions/runs/${run}`,
    },
    log: { write: note },
    signal: new AbortController().signal,
    warn: note,
  };
  const finding: DriftFinding = {
    key,
    facts: drift === false ? false : [drift],
    title: 'Variables have drifted',
    render: (context) => assemble(context, [`Drift ${drift}`]),
  };
  const values = {
    'api-key': 'fake-key',
    'github-token': token,
    'drift-issue': true,
    'fail-on-drift': false,
  };
  return reportDrift(step as never, values, finding).then((isReported) => ({ isReported, said }));
}

const states = (github: GitHubStandIn) =>
  github.issues.of(repository).map(({ number, state, reason, title, author, body }) => ({
    number,
    state,
    reason,
    title,
    author,
    drift: readMarker(body ?? '', key)?.drift,
  }));

const open = (github: GitHubStandIn) => states(github).filter(({ state }) => state === 'open');

/**
 * Runs at once whose requests are carried out one at a time, in the order that is drawn. Each run has at most one request
 * at a time, so every order of their effects can be drawn.
 *
 * @param draw the index of the request that is next, below its argument
 */
async function atOnce(
  github: GitHubStandIn,
  work: readonly (() => Promise<unknown>)[],
  draw: (below: number) => number,
): Promise<void> {
  const waiting: (() => void)[] = [];
  let going = work.length;
  const next = () => {
    if (waiting.length < going || waiting.length === 0) return;
    waiting.splice(draw(waiting.length), 1)[0]?.();
  };
  let isForced = true;
  for (const operation of operations) {
    github.on(operation, () => {
      if (!isForced) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.push(resolve);
      next();
      return promise;
    });
  }
  await Promise.all(
    work.map(async (run) => {
      await run();
      going -= 1;
      next();
    }),
  );
  isForced = false;
}

describe('twenty runs at once', () => {
  // A request waits for those of all others, which may take longer than GitHub is given.
  beforeEach(() => {
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal);
  });
  afterEach(() => vi.restoreAllMocks());

  it('leave one issue open, the first, in every order', { timeout: 600_000 }, async () => {
    const order = fc.infiniteStream(fc.nat({ max: 1_000_000 }));
    await fc.assert(
      fc.asyncProperty(order, async (numbers) => {
        await using github = await startGitHub({ token: 'ghs_fake' });
        const work = Array.from({ length: 20 }, (_, at) => () => report(github, 100 + at, 'a'));
        await atOnce(github, work, (below) => numbers.next().value % below);
        const [first, ...others] = states(github);
        expect(open(github)).toEqual([first]);
        for (const one of others) expect(one).toMatchObject({ reason: 'duplicate', drift: 'none' });
        expect(github.violations).toEqual([]);
      }),
      runs(6),
    );
  });

  it.each<[string, (below: number) => number]>([
    ['first come, first served', () => 0],
    ['last come, first served', (below) => below - 1],
  ])('leave one issue open, %s', async (_, draw) => {
    await using github = await startGitHub({ token: 'ghs_fake' });
    const work = Array.from({ length: 20 }, (_, at) => () => report(github, 100 + at, 'a'));
    await atOnce(github, work, draw);
    expect(open(github)).toEqual([states(github)[0]]);
  });

  it('with lost responses, and findings that differ: the next run leaves what it found', async () => {
    const run = fc.record({ drift: fc.constantFrom('a', 'b', false as const) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(run, { minLength: 2, maxLength: 6 }),
        fc.infiniteStream(fc.nat({ max: 1_000_000 })),
        fc.constantFrom('a', false as const),
        async (found, numbers, last) => {
          await using github = await startGitHub({ token: 'ghs_fake' });
          const work = found.map(
            ({ drift }, at) =>
              () =>
                report(github, 100 + at, drift),
          );
          const troubles = [
            'lost-answer',
            'reset',
            'twice',
            'empty-answer',
            'server-error',
          ] as const;
          github.trouble = ({ operationId }: GitHubRequest) =>
            operationId === 'issues/list-for-repo'
              ? undefined
              : troubles[numbers.next().value % (troubles.length * 3)];
          await atOnce(github, work, (below) => numbers.next().value % below);
          github.trouble = undefined;
          const { isReported } = await report(github, 200, last);
          expect(isReported).toBe(true);
          const expected = { state: 'open', number: 1, title: 'Variables have drifted' };
          expect(open(github)).toEqual(last === false ? [] : [expect.objectContaining(expected)]);
          expect(github.violations).toEqual([]);
        },
      ),
      runs(20),
    );
  });
});

describe('the issue', () => {
  const sent = (github: GitHubStandIn, from = 0) =>
    github.journal.slice(from).map(({ operationId }) => operationId?.split('/')[1]);

  it('is opened, left alone, edited, closed, and opened again', async () => {
    await using github = await startGitHub({ token: 'ghs_fake' });
    const said = async (run: number, drift: string | false) => {
      const before = github.journal.length;
      await report(github, run, drift);
      const [only, ...more] = states(github);
      expect(more).toEqual([]);
      return [sent(github, before).join(' '), only?.state, only?.reason];
    };
    const [list, update] = ['list-for-repo', 'list-for-repo update list-for-repo'];
    expect(await said(1, false)).toEqual([list, undefined, undefined]);
    expect(await said(2, 'a')).toEqual([`${list} create ${list}`, 'open', null]);
    expect(await said(3, 'a')).toEqual([list, 'open', null]);
    expect(await said(4, 'b')).toEqual([update, 'open', null]);
    expect(await said(5, false)).toEqual([update, 'closed', 'completed']);
    expect(await said(6, false)).toEqual([list, 'closed', 'completed']);
    expect(await said(7, 'b')).toEqual([update, 'open', 'reopened']);
  });

  it('stays closed by a person until the drift changes, or is gone and comes back', async () => {
    await using github = await startGitHub({ token: 'ghs_fake' });
    const closeByHand = () => {
      const [issue] = github.issues.of(repository);
      if (issue === undefined) throw new Error('no issue');
      github.changeIssue(issue, { state: 'closed', state_reason: 'not_planned' }, 'octocat');
    };
    await report(github, 1, 'a');
    closeByHand();
    const heeded = await report(github, 2, 'a');
    expect(heeded.isReported).toBe(true);
    expect(heeded.said.join()).toContain('Closed until the drift changes');
    expect(open(github)).toEqual([]);
    await report(github, 3, 'b');
    expect(open(github)).toHaveLength(1);
    closeByHand();
    await report(github, 4, false);
    expect(states(github)).toMatchObject([
      { state: 'closed', reason: 'not_planned', drift: 'none' },
    ]);
    await report(github, 5, 'b');
    expect(open(github)).toHaveLength(1);
  });

  it('is not changed by an earlier run', async () => {
    await using github = await startGitHub({ token: 'ghs_fake' });
    await report(github, 9, 'a');
    await report(github, 8, false);
    await report(github, 8, 'b');
    expect(states(github)).toMatchObject([{ state: 'open', reason: null }]);
    expect(sent(github).filter((one) => one === 'update')).toEqual([]);
  });

  it('is found after a new key, and among more than a page of other issues and pull requests', async () => {
    await using github = await startGitHub({ token: 'ghs_fake' });
    for (let at = 0; at < 120; at += 1) {
      github.issues.open(repository, { author: bot, title: 'Other', body: 'Other' });
    }
    await report(github, 1, 'a');
    const ours = github.issues.of(repository).at(-1);
    if (ours === undefined) throw new Error('no issue');
    ours.body = (ours.body ?? '').replace(/mark=[0-9a-f]/, 'mark=0');
    await report(github, 2, 'a');
    await report(github, 3, false);
    expect(github.issues.of(repository)).toHaveLength(121);
    expect(ours.state).toBe('closed');
  });
});

describe('what others wrote', () => {
  const markerOf = (github: GitHubStandIn) =>
    (github.issues.of(repository).at(-1)?.body ?? '').split('\n')[0] ?? '';

  it('with our marker is not touched: a foreign author is not ours, nor a quotation', async () => {
    await using other = await startGitHub({ token: 'ghs_fake' });
    await report(other, 1, 'a');
    const marker = markerOf(other);
    await using github = await startGitHub({ token: 'ghs_fake' });
    const foreign = [
      github.issues.open(repository, { author: 'mallory', title: 'Forged', body: marker }),
      github.issues.open(repository, { author: 'other[bot]', title: 'Forged', body: marker }),
      github.issues.open(repository, { author: bot, title: 'Quote', body: `> ${marker}` }),
    ].map((issue) => ({ issue, before: { ...issue } }));
    await report(github, 2, 'a');
    await report(github, 3, false);
    for (const { issue, before } of foreign) expect(issue).toEqual(before);
    expect(states(github)[3]).toMatchObject({ number: 4, state: 'closed' });
  });

  it('without our signature is not believed: neither a newer run, nor a known drift', async () => {
    await using github = await startGitHub({ token: 'ghs_fake' });
    await report(github, 1, 'a');
    const [issue] = github.issues.of(repository);
    if (issue === undefined) throw new Error('no issue');
    const digest = readMarker(issue.body ?? '', key)?.drift;
    issue.body = writeMarker({
      key,
      runId: '999',
      runAttempt: '1',
      drift: digest,
      mark: '0'.repeat(32),
    });
    issue.state = 'closed';
    await report(github, 2, 'a');
    expect(open(github)).toHaveLength(1);
    expect(issue.body).toContain('Drift a');
  });
});

describe('an issue that cannot be written', () => {
  it.each([
    ['no permission', { issues: 'forbidden' }, 'Add \\"issues: write\\" to the job'],
    [
      'a locked issue',
      { 'issues/create': 'locked' },
      'Unlock the conversation, or set fail-on-drift',
    ],
    ['a server without it', { issues: 'html' }, 'Could not write the drift issue'],
    ['no answer', { issues: 'reset' }, 'Could not write the drift issue'],
    ['lost answers only', { 'issues/create': 'reset' }, 'Could not write the drift issue'],
    ['a rate limit', { issues: 'rate-limit' }, 'rate limit'],
  ] as const)('for %s says why', async (_, trouble, words) => {
    await using github = await startGitHub({ token: 'ghs_fake' });
    github.trouble = trouble;
    const { isReported, said } = await report(github, 1, 'a');
    expect(isReported).toBe(false);
    expect(said.join()).toContain(words);
  });

  it('because issues are turned off says so', async () => {
    await using github = await startGitHub({ token: 'ghs_fake' });
    github.withoutIssues.add(repository);
    const { isReported, said } = await report(github, 1, 'a');
    expect(isReported).toBe(false);
    expect(said.join()).toContain('Issues are disabled for this repo');
    expect((await report(github, 2, false)).isReported).toBe(true);
  });

  it("with another app's token is closed again, and says so", async () => {
    await using github = await startGitHub({ token: 'ghs_fake' });
    const token = github.issueToken({ login: 'other-app[bot]', permissions: 'all' });
    const { isReported, said } = await report(github, 1, 'a', token);
    expect([isReported, open(github)]).toEqual([false, []]);
    expect(said.join()).toContain('other-app[bot]');
  });
});
