import { describe, expect, it } from 'vitest';
import { rows } from '../support/exhaustive.ts';
import { addReleases, type HistoryWorld, type PastEnd, startHistory } from './history-world.ts';

/** A run of the second commit, where earlier ones released the first. */
interface Kind {
  inputs: (world: HistoryWorld) => Record<string, string>;
  /** What the service or the site does. */
  given?: (world: HistoryWorld) => unknown;
  commit?: 'first';
  outcome?: string;
  /** The question needs all records. */
  readsAll?: true;
}

const checked = ({ page }: HistoryWorld) => ({
  'verify-url': page,
  'verify-contains': 'live: {sha}',
});
const rollsBack = (world: HistoryWorld) => ({
  ...checked(world),
  'on-failed-checks': 'roll-back',
});
const ifNeeded = (world: HistoryWorld) => ({ ...checked(world), deploy: 'if-needed' });
const goLive = ({ run, commits }: HistoryWorld) =>
  run(commits.first, { 'github-deployment': 'false' });

const kinds: Readonly<Record<string, Kind>> = {
  'a push': { inputs: () => ({}) },
  'a push that asks no records': { inputs: () => ({ 'on-older': 'deploy' }) },
  'a push that would fail if it is older': { inputs: () => ({ 'on-older': 'fail' }) },
  'a push that would roll back': { inputs: rollsBack, readsAll: true },
  'a push that is rolled back': {
    inputs: (world) => ({ ...rollsBack(world), 'verify-timeout': '2s' }),
    given: ({ broken, commits }) => broken.add(commits.second),
    outcome: 'rolled-back',
    readsAll: true,
  },
  'a push that is needed': { inputs: ifNeeded, readsAll: true },
  'a push that is not needed': {
    inputs: ifNeeded,
    given: goLive,
    commit: 'first',
    outcome: 'skipped',
    readsAll: true,
  },
  'a push that fails': {
    inputs: () => ({}),
    given: ({ emulator }) => {
      emulator.dialect.deploymentEnds = () => 'failure';
    },
    outcome: 'failed',
  },
  'a way back by hand': {
    inputs: () => ({ 'commit-sha': 'PREVIOUS' }),
    // The one before is a commit that the service does not have.
    outcome: 'failed',
    readsAll: true,
  },
};

/** Sends one kind of run to GitHub. @returns its requests, and how many they may be */
async function count(name: string, past: readonly PastEnd[]) {
  const { inputs, given, commit = 'second', outcome = 'succeeded', readsAll } = kinds[name] as Kind;
  await using world = await startHistory();
  addReleases(world, past);
  await given?.(world);
  world.asked();
  const { outputs } = await world.run(world.commits[commit], inputs(world));
  const asked = world.asked();
  expect(world.github.violations).toEqual([]);
  const isGoing = past.includes('going');
  // A run in progress also makes a deployment needed, and what was released before unknown.
  if (!isGoing) expect(outputs['outcome'], outputs['error']).toBe(outcome);
  const later = past.slice(past.lastIndexOf('good') + 1);
  const retired = later.filter((how) => how !== 'skipped').length;
  // Whether one that is newer than the good one is over is asked again for each fresh list.
  const going = past.filter((how) => how === 'going').length + (later.includes('going') ? 2 : 0);
  const pages = readsAll ? Math.ceil(past.length / 100) : 0;
  // What went live, for the summary.
  const isLive = outputs['outcome'] === 'succeeded' ? 1 : 0;
  return { asked, most: 12 + isLive + later.length + retired + going + pages };
}

const goodFor = (count: number) => Array<PastEnd>(count).fill('good');

/** @param more after a number of good releases */
async function countAll(more: PastEnd[], before: PastEnd[] = []) {
  const over: string[] = [];
  for (const length of [30, 300]) {
    const past = [...before, ...goodFor(length - more.length - before.length), ...more];
    for (const name of Object.keys(kinds)) {
      const { asked, most } = await count(name, past);
      if (asked.length > most)
        over.push(`${name} after ${length}, at most ${most}: ${asked.join(', ')}`);
    }
  }
  return over;
}

describe('how many requests a run sends to GitHub hardly depends on how many releases were before it', () => {
  it.each(
    rows<[string, PastEnd[], PastEnd[]]>(
      [
        ['all were good', [], []],
        ['the newest were skipped', ['skipped', 'skipped', 'skipped'], []],
        ['the newest failed', ['failed', 'failed'], []],
        ['some may be in progress', ['going'], ['going']],
      ],
      1,
    ),
  )(
    'where %s',
    async (_, more, before) => expect(await countAll(more, before)).toEqual([]),
    120_000,
  );
});
