import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../emulator/github/index.ts';
import { writeMarker } from '../../src/comments/model/marker.ts';
import {
  readClaimLine,
  type SignedClaim,
  sealOf,
  writeClaimLine,
} from '../../src/github-api/model/claim.ts';
import { deriveLedgerKeys } from '../../src/ledger/model/keys.ts';
import { titleOf } from '../../src/report/closing.ts';
import {
  number,
  type PullRequestWorld,
  repository,
  startPullRequest,
} from '../dist/pull-request-world.ts';
import { rows } from '../support/exhaustive.ts';
import {
  expectRefused,
  from,
  inputs,
  placeOf,
  production,
  run,
  startServing,
} from './preview-world.ts';

describe.concurrent('a record that nobody of ours wrote', () => {
  const onlyComments = { 'github-deployment': 'false' };
  const claimOf = ({ project }: PullRequestWorld) => ({
    hostname: production,
    projectId: project.id,
    run: 1,
  });
  const otherKey = Buffer.from('not-a-real-key');

  const forged: [string, string, (world: PullRequestWorld) => SignedClaim][] = [
    ['octocat invented', 'octocat', (world) => ({ ...claimOf(world), mark: 'a'.repeat(64) })],
    [
      'a workflow was made to write',
      'github-actions[bot]',
      (world) => ({ ...claimOf(world), mark: 'a'.repeat(64) }),
    ],
    [
      'somebody signed with another key',
      'github-actions[bot]',
      (world) => sealOf(otherKey, repository, number).sign(claimOf(world)),
    ],
  ];
  // The mark of the others is no mark at all.
  it.each(rows(forged, (_, index) => index === 2))(
    'is not believed, as a comment that %s',
    async (_, author, claim) => {
      await using world = await startServing();
      const marker = writeMarker({ key: world.project.id, runId: '1', runAttempt: '1' });
      const body = `${marker}\n${writeClaimLine(claim(world))}\n\nhi`;
      world.github.addComments(repository, number, [{ author, body }]);
      expectRefused(await run(world, 'www', 'synchronize', onlyComments), world);
      await run(world, 'www', 'closed', onlyComments);
      expect(placeOf(world, production)).toBe(world.project.id);
      expect(world.project.deployments).toEqual([]);
    },
  );

  // The one that is a bot, too.
  it.each(rows(['octocat', 'another-app[bot]'], (_, index) => index === 1))(
    'is not believed, as a copy of ours by %s that outlives it',
    async (author) => {
      await using world = await startPullRequest();
      await run(world, 'www', 'opened', onlyComments);
      const body = world.comments()[0] ?? '';
      expect(readClaimLine(body)).toMatchObject({ ...claimOf(world), run: 101 });
      await run(world, 'www', 'closed', onlyComments);
      const comments = world.github.comments(repository, number);
      // Before ours, as if it were the older one.
      comments.unshift(...world.github.addComments(repository, number, [{ author, body }]));
      comments.pop();
      world.emulator.world.assignDomain(production, world.project.id);
      expectRefused(await run(world, 'www', 'reopened', onlyComments), world);
    },
  );

  const recordsOf = ({ github }: PullRequestWorld) => github.deployments(repository);

  /** What somebody with the grants may do after a close, to have the claim that it ended back. */
  const revivals: [
    string,
    Record<string, string>,
    (world: PullRequestWorld, old: string) => void,
  ][] = [
    [
      'a copy of the newest GitHub Deployment',
      { comment: 'false' },
      (world) => {
        const { sha, environment, task, payload } = recordsOf(world).at(-1) as Deployment;
        const copy = { sha, environment, task, payload };
        world.github.addDeployment(repository, copy, [{ state: 'success' }]);
      },
    ],
    [
      'copies of an older one',
      { comment: 'false' },
      (world) => {
        const { sha, environment, task, payload } = recordsOf(world)[0] as Deployment;
        for (let n = 0; n < 40; n += 1) {
          const copy = { sha, environment, task, payload };
          world.github.addDeployment(repository, copy, [{ state: 'success' }]);
        }
      },
    ],
    [
      'its payload with a mark of its own making',
      { comment: 'false' },
      (world) => {
        const { sha, environment, task, payload } = recordsOf(world).at(-1) as Deployment;
        const copy = { sha, environment, task, payload: { ...Object(payload), mark: 'new' } };
        world.github.addDeployment(repository, copy, [{ state: 'success' }]);
      },
    ],
    [
      'a copy of an older one, and so many others that they hide ours',
      { comment: 'false' },
      (world) => {
        const { sha, environment, task, payload } = recordsOf(world)[0] as Deployment;
        for (let n = 0; n < 120; n += 1) {
          const junk = {
            sha,
            environment,
            task,
            payload: { ...Object(payload), mark: `new ${n}` },
          };
          world.github.addDeployment(repository, junk, []);
        }
        const copy = { sha, environment, task, payload };
        world.github.addDeployment(repository, copy, [{ state: 'success' }]);
      },
    ],
    [
      'so many statuses that they hide its end',
      {},
      (world, old) => {
        for (const { statuses } of recordsOf(world)) {
          const [first] = statuses;
          if (first === undefined) continue;
          for (let n = 0; n < 120; n += 1) statuses.push({ ...first, id: 100_000 + n });
        }
        const [ours] = world.github.comments(repository, number);
        if (ours !== undefined) ours.body = old;
      },
    ],
    [
      'copies of its statuses',
      { comment: 'false' },
      (world) => {
        for (const { statuses } of recordsOf(world)) {
          statuses.push(
            ...statuses.toReversed().map((one) => ({ ...one, state: 'success' as const })),
          );
        }
      },
    ],
    [
      'the former text of our comment',
      {},
      (world, old) => {
        const [ours] = world.github.comments(repository, number);
        if (ours !== undefined) ours.body = old;
      },
    ],
  ];

  // By a copy, by what hides an end, and by a comment: what else there is differs only in what it copies.
  it.each(rows(revivals, (_, index) => [1, 4, 6].includes(index)))(
    'is not believed once a close has ended it, by %s',
    async (_, given, revive) => {
      await using world = await startPullRequest();
      await run(world, 'www', 'opened', given);
      await run(world, 'www', 'synchronize', given);
      const [old = ''] = world.comments();
      const closed = await run(world, 'www', 'closed', given);
      expect(closed.outputs['outcome']).toBe('cleaned-up');
      expect(placeOf(world, production)).toBeNull();
      revive(world, old);
      world.emulator.world.assignDomain(production, world.project.id);
      expectRefused(await run(world, 'www', 'reopened', given), world);
      await run(world, 'www', 'closed', given);
      expect(placeOf(world, production)).toBe(world.project.id);
      expect(world.github.violations).toEqual([]);
    },
  );

  it.each<[string, Record<string, string>]>([
    ['a comment and a GitHub Deployment', {}],
    ['a GitHub Deployment', { comment: 'false' }],
  ])('is made anew when it is opened again, also by an older run, in %s', async (_, given) => {
    await using world = await startPullRequest();
    const github = { runId: '50' };
    const again = { ...inputs, ...given };
    await run(world, 'www', 'opened', given);
    await run(world, 'www', 'closed', given);
    world.reopen();
    const event = await from('www', 'reopened', world);
    const reopened = await world.run('reopened', { event, inputs: again, github });
    expect(reopened.outputs).toMatchObject({ error: '', outcome: 'succeeded' });
    const next = await run(world, 'www', 'synchronize', given);
    expect(next.outputs).toMatchObject({ error: '', outcome: 'succeeded' });
    await run(world, 'www', 'closed', given);
    expect(placeOf(world, production)).toBeNull();
  });

  const unboundMark = (world: PullRequestWorld, { hostname, projectId }: SignedClaim) =>
    createHmac('sha256', deriveLedgerKeys(world.emulator.key).claim)
      .update(JSON.stringify([repository, number, hostname, projectId]))
      .digest('hex');

  /** Writes all claims as they were when they were not bound to their run. */
  function unbind(world: PullRequestWorld): void {
    for (const record of recordsOf(world)) {
      const payload = record.payload as { claim?: SignedClaim };
      if (payload.claim === undefined) continue;
      const { run: _, ...claim } = payload.claim;
      record.payload = { ...payload, claim: { ...claim, mark: unboundMark(world, payload.claim) } };
    }
    for (const comment of world.github.comments(repository, number)) {
      const claim = readClaimLine(comment.body ?? '') as SignedClaim | undefined;
      if (claim === undefined) continue;
      const { run: _, ...before } = { ...claim, mark: unboundMark(world, claim) };
      comment.body = comment.body?.replace(writeClaimLine(claim), writeClaimLine(before));
    }
  }

  const kept: [string, Record<string, string>][] = [
    ['a comment and a GitHub Deployment', {}],
    ['a comment', { 'github-deployment': 'false' }],
    ['a GitHub Deployment', { comment: 'false' }],
  ];
  const alone = rows(kept, (_, index) => index > 0);

  it.each(rows(alone, 1))(
    'of before claims had a run is ended by a close, in %s',
    async (_, given) => {
      await using world = await startPullRequest();
      await run(world, 'www', 'opened', given);
      unbind(world);
      const closed = await run(world, 'www', 'closed', given);
      expect(closed.outputs).toMatchObject({ error: '', outcome: 'cleaned-up' });
      expect(placeOf(world, production)).toBeNull();
      expect(world.comments().join()).not.toContain('site-deploy-preview');
    },
  );

  it.each(rows(alone, 1))(
    'of before claims had a run goes on, and is ended then, in %s',
    async (_, given) => {
      await using world = await startPullRequest();
      await run(world, 'www', 'opened', given);
      unbind(world);
      const next = await run(world, 'www', 'synchronize', given);
      expect(next.outputs).toMatchObject({ error: '', outcome: 'succeeded' });
      await run(world, 'www', 'closed', given);
      expect(placeOf(world, production)).toBeNull();
    },
  );

  // As above.
  it.each(rows(revivals, (_, index) => [1, 4, 6].includes(index)))(
    'of before claims had a run is not believed once a close has ended it, by %s',
    async (_, given, revive) => {
      await using world = await startPullRequest();
      await run(world, 'www', 'opened', given);
      await run(world, 'www', 'synchronize', given);
      unbind(world);
      const [old = ''] = world.comments();
      await run(world, 'www', 'closed', given);
      expect(placeOf(world, production)).toBeNull();
      revive(world, old);
      world.emulator.world.assignDomain(production, world.project.id);
      expectRefused(await run(world, 'www', 'reopened', given), world);
    },
  );

  it.each(rows(alone, 1))(
    'of before claims had a run stays ended by a close of then, in %s',
    async (_, given) => {
      await using world = await startPullRequest();
      await run(world, 'www', 'opened', given);
      unbind(world);
      await run(world, 'www', 'closed', given);
      for (const { statuses } of recordsOf(world)) {
        const last = statuses.at(-1);
        if (last?.description === titleOf('cleaned-up'))
          last.log_url = 'https://github.com/runs/103';
      }
      world.emulator.world.assignDomain(production, world.project.id);
      expectRefused(await run(world, 'www', 'reopened', given), world);
    },
  );

  it('is not believed as a GitHub Deployment', async () => {
    await using world = await startServing();
    const { project, github } = world;
    await run(world, 'topic', 'opened', { 'allow-production': 'true' });
    const [ours] = github.deployments(repository);
    const text = JSON.stringify(ours?.payload);
    expect(text).toContain('topic.example.com');
    const payload = JSON.parse(text.replaceAll('topic.example', 'www.example'));
    const sha = await project.head();
    github.addDeployment(repository, { sha, environment: 'preview/pr-7', payload }, [
      { state: 'success' },
    ]);
    const deployed = project.deployments.length;
    expectRefused(await run(world, 'www', 'synchronize', { comment: 'false' }), world);
    expect(project.deployments).toHaveLength(deployed);
  });

  it('is not believed where it was copied from another pull request', async () => {
    await using world = await startPullRequest();
    const { project, github } = world;
    const head = { ref: 'www', sha: await project.head(), repo: null };
    github.pullRequests.set(`${repository}#8`, { number: 8, state: 'open', head, base: head });
    await run(world, 'www', 'opened', {}, 8);
    const [theirs] = github.comments(repository, 8);
    github.addComments(repository, number, [
      { author: 'github-actions[bot]', body: theirs?.body ?? '' },
    ]);
    for (const { payload, sha } of [...github.deployments(repository)]) {
      const copied = JSON.parse(JSON.stringify(payload).replaceAll('pr-8', 'pr-7'));
      github.addDeployment(repository, { sha, environment: 'preview/pr-7', payload: copied });
    }
    expectRefused(await run(world, 'www', 'synchronize'), world);
  });

  it('cannot be read: then it is none, and the run says what it needs', async () => {
    await using world = await startServing();
    world.github.trouble = 'forbidden';
    const result = await run(world, 'www', 'synchronize');
    expectRefused(result, world);
    expect(result.annotations.map(({ message }) => message).join()).toContain(
      'pull-requests: write',
    );
  });
});
