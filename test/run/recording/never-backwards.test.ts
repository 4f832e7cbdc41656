import fc from 'fast-check';
import { expect, test } from 'vitest';
import { guardOrder, whyOlder } from '../../../src/commands/deploy/never-backwards.ts';
import type { DeployRequest } from '../../../src/commands/deploy.ts';
import { EarlyEnd } from '../../../src/commands/host.ts';
import { type Sha, sha } from '../../../src/contract/commit.ts';
import { recordSealOf } from '../../../src/core/history/record-seal.ts';
import { deriveLedgerKeys } from '../../../src/core/ledger/keys.ts';
import { trusted } from '../../../src/core/text/safe.ts';
import { type GitHubStandIn, startGitHub } from '../../../src/emulator/github/index.ts';
import { openHistory } from '../../../src/run/deploy/history.ts';
import { startGracePeriod } from '../../../src/run/recording/grace-period.ts';
import { Recorder } from '../../../src/run/recording/recorder.ts';
import { startWorld, type World } from '../../support/world.ts';

const repository = 'octo-org/octo-site';
const projectId = '3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10';
const place = { environment: 'production', key: `production/${projectId}` };
const seal = recordSealOf(deriveLedgerKeys('fake-key').record, repository);

/** A line of commits, by their age. */
const commits: Sha[] = [0, 1, 2, 3, 4, 5].map((age) => sha(String(age).repeat(40)));

/** A run of a commit, in the stages between which others may get. */
interface Attempt {
  age: number;
  /** Whether its checks hold. */
  isGood: boolean;
}

/** What became live, and what was good of that, oldest first. */
interface Site {
  live: number[];
  good: number[];
}

/** The stages of a run: its first look, its last one with the deployment right after it, and its end. */
function stagesOf(
  world: World,
  github: GitHubStandIn,
  site: Site,
  { age, isGood }: Attempt,
  n: number,
) {
  const commit = commits[age] as Sha;
  const mark = `run ${n}`;
  const access = { apiUrl: github.url, token: github.token, repository };
  const runUrl = `https://github.example/${repository}/actions/runs/${n}`;
  const deployment = {
    ...place,
    ref: commit,
    isPreview: false,
    mark,
    until: world.host.clock.now() + 60_000,
  };
  const subject = { name: trusted('Production'), repositoryUrl: 'https://github.example/o/r' };
  const plan = { runUrl, subject, commit, waits: true, deployment };
  const ignore = () => undefined;
  const fail = () => {
    throw new Error('no comment is written');
  };
  const recorder = new Recorder(plan, {
    access,
    recordSeal: seal,
    sealFor: fail,
    warn: (text) => {
      throw new Error(text);
    },
    onDeployment: ignore,
    onComment: ignore,
    onPlan: ignore,
  });
  const record = () => recorder.beginDeployment();
  const { host } = world;
  const history = openHistory({ access, seal, place, mark, tree: undefined, host, record });
  const target = { kind: 'project', id: projectId };
  const request = { target, commit, onOlder: 'skip', history } as unknown as DeployRequest;
  const run = { host, request };
  const end = async (outcome: 'succeeded' | 'failed' | 'skipped') => {
    const report = { outcome, projectId, commit, phases: [], requests: 0, durationMs: 0 };
    await recorder.finish(report, startGracePeriod());
    return false;
  };
  return [
    async () => ((await whyOlder(run, false)) === undefined ? true : await end('skipped')),
    async () => {
      await history.announce();
      return true;
    },
    async () => {
      try {
        await guardOrder(run);
      } catch (error) {
        if (!(error instanceof EarlyEnd)) throw error;
        return await end('skipped');
      }
      site.live.push(age);
      return true;
    },
    async () => {
      if (isGood) site.good.push(age);
      return await end(isGood ? 'succeeded' : 'failed');
    },
  ];
}

test('whatever the order of runs, what is live at the end is not older than what was good', async () => {
  await using world = await startWorld({ timeout: 1e9 });
  const attempts = fc.array(fc.record({ age: fc.nat(5), isGood: fc.boolean() }), {
    minLength: 2,
    maxLength: 5,
  });
  const order = fc.array(fc.nat(4), { minLength: 20, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(attempts, order, async (runs, turns) => {
      await using github = await startGitHub();
      for (const [age, commit] of commits.entries()) {
        const parents = commits.slice(Math.max(0, age - 1), age);
        github.commits.set(`${repository}@${commit}`, { parents });
      }
      const site: Site = { live: [], good: [] };
      const waiting = runs.map((one, n) => stagesOf(world, github, site, one, n));
      const step = async (n: number) => {
        const stages = waiting[n];
        const stage = stages?.shift();
        if (stage !== undefined && !(await stage())) stages?.splice(0);
      };
      for (const turn of turns) await step(turn % runs.length);
      for (const [n, stages] of waiting.entries()) while (stages.length > 0) await step(n);
      const live = site.live.at(-1) ?? -1;
      expect(live).toBeGreaterThanOrEqual(Math.max(-1, ...site.good));
      expect(github.violations).toEqual([]);
    }),
    { numRuns: 40 },
  );
}, 120_000);
