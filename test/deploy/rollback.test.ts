import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { DialectOptions } from '../../emulator/index.ts';
import { type DeclaredCheck, type Expectation, namesCommit } from '../../src/checks/intent.ts';
import { type Sha, sha } from '../../src/contract/commit.ts';
import type { DeployRequest } from '../../src/deploy/context.ts';
import { describeRun } from '../../src/deploy/model/title.ts';
import { verdict } from '../../src/deploy/model/verdict.ts';
import { diagnose } from '../../src/kernel/diagnostic.ts';
import { unsafeText } from '../../src/kernel/text/safe.ts';
import { HistoryUnreadable } from '../../src/releases/history.ts';
import { addCommit } from '../support/add-commit.ts';
import { runDeploy } from '../support/deploy.ts';
import { type Given, knownOf, recordOf, rememberGood } from '../support/deploy-history.ts';
import { rows } from '../support/exhaustive.ts';
import { desired } from '../support/variables.ts';
import { startWorld, type World } from '../support/world.ts';

/** A check of a path, with what it wants beside a good status. */
const check = (path: string, more: Partial<Expectation> = {}): DeclaredCheck => {
  const wanted: Expectation = { method: 'GET', ...more };
  return { ...wanted, at: { path }, namesCommit: namesCommit(wanted), from: 'file' };
};

/** What our records say, as far as a way back asks. */
interface Records {
  /** The release before; absent if none is recorded. */
  good?: { isChecked: boolean };
  /** What others recorded while the run went on, whose own record is the fifth. */
  since?: readonly Given[];
  unreadable?: 'before' | 'after';
}

const unreadable = () =>
  new HistoryUnreadable(
    diagnose('SD8001', unsafeText('Our records could not be read: no permission')),
  );

const goodEnd = (isChecked: boolean) => ({ kind: 'good', projectId: 'p', isChecked }) as const;

function recordsOf(old: Sha, { good, since = [], unreadable: when }: Records) {
  const before = good ? [{ record: recordOf(1, old), end: goodEnd(good.isChecked) }] : [];
  const own = { record: recordOf(5, sha('e'.repeat(40)), Infinity), end: undefined };
  const after = [...before, own, ...since].sort((a, b) => a.record.id - b.record.id);
  let isAfter = false;
  return rememberGood(old, {
    decide: async (decision, { fresh }) => {
      isAfter ||= fresh === true;
      if (when === (isAfter ? 'after' : 'before')) throw unreadable();
      return decision(knownOf(isAfter ? after : before, { own: own.record.mark }));
    },
  });
}

/** The commit whose page is served; undefined as long as nothing was deployed. */
function servedIn({ project }: World): string | undefined {
  const live = project.deployments.filter(({ status }) => status === 'succeeded');
  return live.sort((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0)).at(-1)?.commit;
}

/** Which version is looked at: one that was never deployed here is what stood there before. */
type Seen = 'old' | 'new' | 'before';

interface Play extends Partial<Omit<DeployRequest, 'checks'>> {
  dialect?: DialectOptions;
  records?: Records;
  /** Answers a look at the site. */
  site?: (response: ServerResponse, seen: Seen, commit: string) => void;
  declared?: readonly DeclaredCheck[];
  /** What happens in the world before. */
  prepare?: (world: World, old: Sha) => void;
  /** Milliseconds until the run's deadline, by the fast clock. */
  timeout?: number;
  /** True: the record says that the commit itself was good. */
  isGoodAlready?: boolean;
}

const goodPage = (commit: string) => `<h1>Hello</h1> ${commit}`;

/** The new version fails, and every other one is good. */
const badNew: NonNullable<Play['site']> = (response, seen, commit) =>
  response.writeHead(seen === 'new' ? 503 : 200).end(goodPage(commit));

/** Deploys a second commit to a site with checks, with a way back to the first. */
async function play({
  dialect = {},
  records = { good: { isChecked: true } },
  site = badNew,
  declared = [check('/', { contains: '{sha}' }), check('/also')],
  prepare = () => undefined,
  isGoodAlready = false,
  timeout = 5 * 60_000,
  ...request
}: Play = {}) {
  await using world = await startWorld({ dialect, timeout });
  const old = sha(await world.project.head());
  const commit = sha(await addCommit(await world.project.gitFolder()));
  prepare(world, old);
  const server = createServer((_request, response) => {
    const served = servedIn(world);
    const seen = served === undefined ? 'before' : served === old ? 'old' : 'new';
    site(response, seen, served ?? old);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const target = { commit, origin, hostname: undefined };
    const report = await runDeploy(world, {
      commit,
      checks: { declared, site: target, timeout: 8000 },
      rollsBack: true,
      history: recordsOf(isGoodAlready ? commit : old, records),
      ...request,
    });
    const posted = world.emulator.journal.of('createDeployment');
    return {
      report,
      old,
      commit,
      posted,
      told: world.told,
      live: servedIn(world),
      deployed: world.project.deployments.map((one) => one.commit),
      title: describeRun(report.whole),
      seenLive: verdict(report.whole).live,
    };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

type Played = Awaited<ReturnType<typeof play>>;

/** The second commit stays, and the error says why. */
function expectLeft(played: Played, why: RegExp, isAnswered = true) {
  const { report, commit, posted, live, seenLive } = played;
  expect(report).toMatchObject({ outcome: 'failed', release: { stage: 'succeeded' } });
  expect(report.rollback).toBeUndefined();
  expect(report.error).toMatch(/failed \(tried for 8s\)\..* Nothing was rolled back: /);
  expect(report.error).toMatch(why);
  expect(report.error).toMatch(/\(SD5004\)$/);
  expect(posted).toHaveLength(1);
  expect(live).toBe(commit);
  const isKnown = isAnswered && report.isOvertaken !== true;
  expect(seenLive).toBe(isKnown ? commit : undefined);
}

function expectBack({ report, old, commit, posted, live, seenLive, deployed, title }: Played) {
  expect(report.error).toMatch(/: \d of 2 checks failed \(tried for 8s\)\. /);
  expect(report.error).toMatch(
    new RegExp(`^Commit ${old.slice(0, 7)} is live again, and its checks pass\\. `),
  );
  expect(report.error).toMatch(/\(SD5005\)$/);
  expect(report).toMatchObject({
    outcome: 'rolled-back',
    commit,
    release: { stage: 'succeeded' },
    rollback: { commit: old, release: { stage: 'succeeded' } },
  });
  expect(report.checks?.some(({ passed }) => passed === false)).toBe(true);
  expect(report.rollback?.checks?.every(({ passed }) => passed)).toBe(true);
  expect(deployed).toEqual([commit, old]);
  expect(live).toBe(old);
  expect(seenLive).toBe(old);
  expect(title).toContain(`was rolled back to ${old.slice(0, 7)}: `);
  const keys = posted.map(({ body }) => (body as { idempotencyKey: string }).idempotencyKey);
  expect(new Set(keys).size).toBe(keys.length);
}

/** The way back failed, and that is said first. */
function expectFailed({ report, old, title }: Played, says: RegExp) {
  expect(report.outcome).toBe('failed');
  expect(report.error).toMatch(
    new RegExp(
      `^(?:Commit \\w+ is live\\.(?: GET \\S+ returned .*\\.)?|What is live is unknown: .*\\.) Rolling back to commit ${old.slice(0, 7)} failed\\. `,
    ),
  );
  expect(report.error).toMatch(says);
  expect(report.error).toMatch(/Rolling back to commit .*\(SD5006\)$/);
  expect(title).toMatch(
    new RegExp(`^The site: .*, (?:and )?rolling back to ${old.slice(0, 7)} failed$`),
  );
}

describe.concurrent('a deployment whose checks fail', () => {
  it('is rolled back to the last good commit, whose own checks hold', async () => {
    const played = await play();
    expectBack(played);
    expect(played.posted).toHaveLength(2);
    expect(played.told.filter(({ type }) => type === 'rolling-back')).toHaveLength(1);
  });

  it.each<[string, DialectOptions]>([
    ['stream', { offers: 'stream' }],
    ['poll', { offers: 'poll' }],
    ['an unknown key each time', { idempotency: 'ignore' }],
  ])('is rolled back where there is %s', async (_, dialect) => {
    expectBack(await play({ dialect }));
  });

  it('is left where nothing but the checks could confirm it', async () => {
    const { report, posted } = await play({
      dialect: { offers: 'neither', notOfferedStatus: 403 },
      timeout: 20_000,
    });
    expect(report.outcome).toBe('unconfirmed');
    expect(posted).toHaveLength(1);
  });

  it('is rolled back if the site was good before, though no record says that of its checks', async () => {
    expectBack(await play({ records: { good: { isChecked: false } } }));
  });

  it.each<[string, Play, RegExp]>([
    ['no record says of anything that it was good', { records: {} }, /no good release is recorded/],
    [
      'the site was bad before and no record says that its checks were good',
      {
        records: { good: { isChecked: false } },
        site: (response, _seen, commit) => response.writeHead(503).end(goodPage(commit)),
      },
      /the checks also failed before the deployment, and no release/,
    ],
    [
      'the records cannot be read before',
      { records: { good: { isChecked: true }, unreadable: 'before' } },
      /Our records could not be read: no permission/,
    ],
    [
      'the records cannot be read after',
      { records: { good: { isChecked: true }, unreadable: 'after' } },
      /its conditions could not be checked\. Our records could not be read/,
    ],
  ])('is left where %s', async (_, given, why) => {
    const played = await play(given);
    expectLeft(played, why);
  });

  it('is left where nothing answers, before and after, and is not called live', async () => {
    const played = await play({ site: (response) => response.destroy() });
    expectLeft(played, /this runner may not reach it/, false);
  });

  it('is left, and that is said before it is deployed, where the records cannot be read', async () => {
    const { told } = await play({ records: { good: { isChecked: true }, unreadable: 'before' } });
    const types = told.map(({ type }) => type);
    const warned = told.findIndex(
      (one) =>
        one.type === 'warning' && one.diagnostic.text.startsWith('If the checks fail, nothing'),
    );
    expect(warned).toBeGreaterThan(-1);
    expect(warned).toBeLessThan(types.indexOf('deployment-accepted'));
  });

  it('is left where the last good commit is this very one', async () => {
    const played = await play({ isGoodAlready: true });
    expectLeft(played, /the last good release is this commit/);
  });

  it('is rolled back if it was reached before and answers no more', async () => {
    expectBack(
      await play({
        site: (response, seen, commit) =>
          seen === 'new' ? response.destroy() : response.end(goodPage(commit)),
      }),
    );
  });

  it('is rolled back by the record if the site could not be reached before', async () => {
    expectBack(
      await play({
        site: (response, seen, commit) =>
          seen === 'before' ? response.destroy() : badNew(response, seen, commit),
      }),
    );
  });

  const other = (id: number, end: Given['end'], until = 0): Given => ({
    record: recordOf(id, sha('c'.repeat(40)), until),
    end,
  });
  it.each<[string, Given]>([
    ['has deployed', other(9, goodEnd(true))],
    ['may have deployed', other(9, { kind: 'ended' })],
    ['is deploying', other(9, undefined, Infinity)],
  ])('is left where a newer run %s since', async (words, one) => {
    const played = await play({ records: { good: { isChecked: true }, since: [one] } });
    expectLeft(played, new RegExp(`a newer run ${words} commit c{40}\\.`));
    expect(played.report.isOvertaken).toBe(true);
    expect(played.seenLive).toBeUndefined();
    expect(played.title).toContain('another run deploys here');
  });

  it('is rolled back beside a run that began before', async () => {
    const since = [other(3, undefined, Infinity)];
    expectBack(await play({ records: { good: { isChecked: true }, since } }));
  });

  it('is left where a run that began before has ended well since', async () => {
    const since = [other(2, goodEnd(true))];
    const played = await play({ records: { good: { isChecked: true }, since } });
    expectLeft(played, /another run has deployed commit c{40} since this one began/);
    expect(played.seenLive).toBeUndefined();
  });

  it('says that variables stay as they were written', async () => {
    const played = await play({
      variables: [desired('A_NAME')],
    });
    expectBack(played);
    expect(played.report.error).toContain('Variables keep their new values.');
  });
});

describe.concurrent('a way back', () => {
  it.each(rows(['replay', 'conflict', 'ignore'] as const, 2))(
    'whose answer is lost is found by a service that answers a key again with %s',
    async (idempotency) => {
      const played = await play({
        dialect: { idempotency },
        prepare: ({ emulator }) =>
          emulator.faults.add({ operation: 'createDeployment', kind: 'reset-after', after: 1 }),
      });
      expect(played.report.outcome).toBe('rolled-back');
      expect(played.live).toBe(played.old);
      expect(played.report.release?.uncertainty).toBeUndefined();
      expect(played.report.rollback?.release?.uncertainty).toBeDefined();
    },
  );

  it('whose deployment fails leaves the new commit live', async () => {
    let old = '';
    const played = await play({
      dialect: { deploymentEnds: ({ commit }) => (commit === old ? 'failure' : 'success') },
      prepare: (_, first) => {
        old = first;
      },
    });
    expectFailed(
      played,
      new RegExp(`^Commit ${played.commit.slice(0, 7)} is live\\. .*The deployment failed`),
    );
    expect(played.seenLive).toBe(played.commit);
    expect(played.live).toBe(played.commit);
  });

  it('whose checks fail, too, says that its commit is live', async () => {
    const played = await play({
      site: (response, seen, commit) =>
        response.writeHead(seen === 'before' ? 200 : 503).end(goodPage(commit)),
    });
    expectFailed(
      played,
      new RegExp(`^Commit ${played.old.slice(0, 7)} is live\\. .*2 of 2 checks failed`),
    );
    expect(played.seenLive).toBe(played.old);
    expect(played.live).toBe(played.old);
    expect(played.posted).toHaveLength(2);
  });

  it('to a commit that no page shows then does not say that it is live', async () => {
    const played = await play({
      site: (response, seen, commit) =>
        seen === 'before' ? response.end(goodPage(commit)) : response.writeHead(503).end(),
    });
    expectFailed(played, /^What is live is unknown: the site did not .*2 of 2 checks failed/);
    expect(played.seenLive).toBeUndefined();
  });

  it('to a commit that the service refuses leaves the new one live', async () => {
    const gone = sha('d'.repeat(40));
    const played = await play({
      history: recordsOf(gone, { good: { isChecked: true } }),
    });
    expect(played.report.error).toMatch(
      new RegExp(` Rolling back to commit ${gone.slice(0, 7)} failed\\. `),
    );
    expect(played.report.error).toContain(`Commit ${played.commit.slice(0, 7)} is live.`);
    expect(played.report.rollback?.release).toBeUndefined();
    expect(played.seenLive).toBe(played.commit);
  });

  it('whose end nothing confirms says that nobody knows what is live', async () => {
    const played = await play(silent([check('/'), check('/also')]));
    expectFailed(
      played,
      /^What is live is unknown.* Nothing confirms the accepted deployment's result/,
    );
    expect(played.title).toContain('what is live is unknown');
    expect(played.seenLive).toBeUndefined();
  });

  it('whose end its checks alone can confirm is seen by them', async () => {
    const played = await play(silent([check('/', { contains: '{sha}' }), check('/also')]));
    expectBack(played);
    expect(played.report.rollback?.release?.confirmedBy).toBe('site');
  });

  it('that only its checks could confirm is not left unconfirmed when the time is up', async () => {
    const given = silent([check('/', { contains: '{sha}' }), check('/also')]);
    const site: Play['site'] = (response, seen, commit) =>
      seen === 'old' ? response.writeHead(503).end() : given.site(response, seen, commit);
    const played = await play({ ...given, site, timeout: 40_000 });
    expect(played.report.outcome).toBe('timed-out');
    expect(played.report.error).toMatch(
      new RegExp(`but its checks failed\\. The rollback to commit ${played.old.slice(0, 7)} `),
    );
    expect(played.title).toContain('while it was being rolled back to');
    expect(played.seenLive).toBeUndefined();
  });
});

/** A service that tells nothing more once the new version is live. */
function silent(declared: readonly DeclaredCheck[]) {
  let emulator: World['emulator'] | undefined;
  return {
    declared,
    prepare: (world: World) => {
      emulator = world.emulator;
    },
    site: (response, seen, commit) => {
      if (seen === 'new' && emulator) {
        emulator.dialect.offers = 'neither';
        emulator.dialect.notOfferedStatus = 403;
      }
      badNew(response, seen, commit);
    },
  } satisfies Play;
}
