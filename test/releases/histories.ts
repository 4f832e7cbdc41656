import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GitHubStandIn } from '../../emulator/github/index.ts';
import { openChecks } from '../../src/checks/apply.ts';
import { type DeclaredCheck, type Expectation, namesCommit } from '../../src/checks/intent.ts';
import { type Sha, sha } from '../../src/contract/commit.ts';
import { lastGate, whyRefused } from '../../src/deploy/gates.ts';
import { endIfLive, endIfRolledBack } from '../../src/deploy/if-needed.ts';
import { Recorder } from '../../src/deploy/recorder.ts';
import { type Fallback, findGoodRelease, whyNotRolledBack } from '../../src/deploy/rollback.ts';
import { recordSignerOf } from '../../src/github/model/record-signer.ts';
import type { Outcome } from '../../src/kernel/outcome.ts';
import { safe, unsafeText } from '../../src/kernel/text/safe.ts';
import { deriveLedgerKeys } from '../../src/ledger/model/keys.ts';
import { openHistory } from '../../src/releases/history.ts';
import { startGracePeriod } from '../../src/step/run-outcome.ts';
import { Stop } from '../../src/step/step.ts';
import type { World } from '../support/world.ts';

export const repository = 'octo-org/octo-site';
const projectId = '3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10';
const series = { environment: 'production', key: `production/${projectId}` };
const signer = recordSignerOf(deriveLedgerKeys('fake-key').record, repository);

/** A line of commits, by their age. */
export const commits: Sha[] = Array.from('abcdef', (digit) => sha(digit.repeat(40)));

/** A run of a commit, in the stages between which others may get. */
export interface Attempt {
  age: number;
  /** Whether its page is as its check wants. */
  isGood: boolean;
  /** It is deployed only if it is needed. */
  ifNeeded: boolean;
  /** It writes a variable. */
  rotates: boolean;
}

/** What became live, and what was found good of that, oldest first. */
export interface Site extends AsyncDisposable {
  live: { age: number; isGood: boolean }[];
  good: number[];
  /** What was said of each run. */
  told: string[];
  url: string;
}

/** Serves a page that shows the commit that is live, if that is good. */
export async function startSite(): Promise<Site> {
  const live: Site['live'] = [];
  const server = createServer((_, response) => {
    const { age, isGood } = live.at(-1) ?? { age: -1, isGood: true };
    response.writeHead(isGood ? 200 : 503).end(`live: ${commits[age]}`);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    live,
    good: [],
    told: [],
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const wanted: Expectation = { method: 'GET', contains: 'live: {sha}' };

/** A recorder of a run, and its history of releases. */
export function recorderOf(world: World, github: GitHubStandIn, commit: Sha, mark: string) {
  const access = { apiUrl: github.url, token: github.token, repository };
  const until = world.host.clock.now() + 60_000;
  const deployment = { ...series, ref: commit, isPreview: false, mark, until };
  const subject = {
    name: unsafeText('Production'),
    commitsUrl: 'https://github.example/o/r/commit/',
  };
  const runUrl = `https://github.example/${repository}/actions/runs/${mark}`;
  const recorder = new Recorder(
    { runUrl, subject, commit, deployment },
    {
      access,
      recordSigner: signer,
      commentSignerFor: () => {
        throw new Error('no comment is written');
      },
      warn: ({ text }) => {
        throw new Error(text);
      },
      journal: () => undefined,
    },
  );
  const history = openHistory({
    access,
    branch: '',
    host: world.host,
    recorder,
  });
  return { recorder, history };
}

/**
 * The stages of a run with `on-older: skip` and `on-failed-checks: roll-back`: its first gate, what it finds out
 * before its deployment, its last gate with the deployment right after it, and its checks with what follows of them.
 * Each stage tells whether there is another.
 */
export function stagesOf(
  world: World,
  github: GitHubStandIn,
  site: Site,
  { age, isGood, ifNeeded, rotates }: Attempt,
  n: number,
): (() => Promise<boolean>)[] {
  const commit = commits[age] as Sha;
  const { recorder, history } = recorderOf(world, github, commit, String(n));
  const check: DeclaredCheck = {
    ...wanted,
    at: { url: site.url },
    namesCommit: namesCommit(wanted),
    from: 'inputs',
  };
  const asked = {
    declared: [check],
    site: { commit, origin: undefined, hostname: undefined },
    timeout: 2000,
  };
  const checks = openChecks(asked, world.host);
  const target = { kind: 'project', id: projectId } as const;
  const request = { target, commit, onOlder: 'skip', history, checks: asked };
  const found = { phases: [] };
  const run = {
    ...world,
    recorder,
    request,
    projectId,
    checks,
    place: { projectId, preview: undefined, lease: undefined },
    report: found,
    section: found,
    phase: <T>(_: string, work: () => Promise<T>) => work(),
  } as unknown as Parameters<typeof findGoodRelease>[0];
  let fallback: Fallback;
  const goLive = (what: Site['live'][number]) => void site.live.push(what);
  const end = async (outcome: Outcome) => {
    const { all } = checks;
    const held = outcome === 'succeeded' ? true : null;
    await checks[Symbol.asyncDispose]();
    const results = all.map(({ result }) => ({ ...result, held }));
    const cost = { phases: [], requests: 0, durationMs: 0 };
    const report = {
      outcome,
      projectId,
      commit,
      checks: results,
      release: { stage: 'requested' as const },
      ...cost,
    };
    await recorder.finish(report, startGracePeriod());
    return false;
  };
  /** Goes on unless the run ends early, as one that is older does. */
  const orSkip = async (work: () => Promise<unknown>) => {
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof Stop) return await end('skipped');
      throw error;
    }
  };
  const deployNow = async () => {
    await lastGate(run);
    goLive({ age, isGood });
  };
  /** Decides it as a run does, up to where it would request the deployment. */
  const deployIfNeed = async () => {
    const environment = { production: { pending: false }, version: 1, variables: [] };
    const prepared = { environment, wrote: rotates ? [safe`NAME`] : [] };
    if ((await endIfLive(run, prepared)) === undefined) {
      await lastGate(run);
      if ((await endIfRolledBack(run, prepared)) !== undefined) return await end('failed');
      goLive({ age, isGood });
      return true;
    }
    site.told.push(`${age} is live already, and live is ${site.live.at(-1)?.age}`);
    return await end('skipped');
  };
  return [
    async () => ((await whyRefused(run)) === undefined ? true : await end('skipped')),
    async () => {
      fallback = await findGoodRelease(run);
      return true;
    },
    async () => {
      if (!ifNeeded) await recorder.awaitCreated(world.host.clock);
      return true;
    },
    async () => {
      let goesOn = true;
      const isOn = await orSkip(async () => {
        if (ifNeeded) goesOn = await deployIfNeed();
        else await deployNow();
      });
      return isOn && goesOn;
    },
    async () => {
      const { live } = site;
      if (live.at(-1)?.age === age && live.at(-1)?.isGood === true) {
        site.good.push(age);
        return await end('succeeded');
      }
      await checks.tryAll(world.host.signal);
      const results = checks.all.map(({ result }) => ({ ...result, passed: false }));
      const reason = await whyNotRolledBack(run, { fallback, written: 0, results });
      if (reason !== undefined || !('release' in fallback)) return await end('failed');
      goLive({ age: commits.indexOf(fallback.release.record.commit), isGood: true });
      return await end('rolled-back');
    },
  ];
}
