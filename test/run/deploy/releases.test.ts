import { describe, expect, it } from 'vitest';
import { type Sha, sha } from '../../../src/contract/commit.ts';
import {
  findLive,
  findPrevious,
  findTakenOff,
  type Releases,
} from '../../../src/deploy/releases.ts';
import type { Comparison, KeptRecord } from '../../../src/github-api/deployment-history.ts';
import type { ReleaseEnd } from '../../../src/github-api/model/record-seal.ts';

const projectId = '3f2b8a1c-6d1e-4c55-9a37-0b1f5f7f2a10';
const now = 1_000_000;

/** A commit by its letter. Capitals are a line, A the oldest; `x` to `z` went apart from it, as by a force push. */
const commit = (letter: string): Sha =>
  sha(letter.charCodeAt(0).toString(16).padStart(2, '0').repeat(20));

/** How a line of letters stands to each other, as GitHub compares them. */
function compare(base: Sha, head: Sha): Comparison {
  const [from, to] = [base, head].map((one) => String.fromCharCode(parseInt(one.slice(0, 2), 16)));
  if (from === to) return 'identical';
  if (/[xyz]/.test(`${from}${to}`)) return 'diverged';
  return String(from) < String(to) ? 'ahead' : 'behind';
}

type Given = { record: KeptRecord; end: ReleaseEnd | undefined };

/**
 * Reads a history, oldest first: a commit, `'` if it was given by hand, and how it ended: nothing if well, `!` with
 * failed checks, `-` undeployed, `>A` undone for A, `~A` maybe undone for A, `?` killed, `…` under way, `=` a copy of
 * the record before it, `*` good before there were links, `@` good at another project.
 */
function read(history: string): Given[] {
  const given: Given[] = [];
  let before = 0;
  for (const [index, word] of history.split(' ').entries()) {
    const [, letter = '', hand, how = ''] = /^(\w)('?)(.*)$/.exec(word) ?? [];
    const id = index + 1;
    const copied = how === '=' ? given.at(-1)?.record.mark : undefined;
    const record: KeptRecord = {
      id,
      at: '2026-11-23T06:41:00Z',
      commit: commit(letter),
      environment: 'production',
      key: 'production/p',
      isPreview: false,
      mark: copied ?? `mark ${id}`,
      until: how === '…' ? now : 0,
      runId: String(id),
      ...(hand === "'" && { isByHand: true }),
    };
    const to = how.length > 1 ? commit(how.slice(1)) : undefined;
    const kinds: Record<string, ReleaseEnd | undefined> = {
      '': { kind: 'good', projectId, isChecked: true, before },
      '*': { kind: 'good', projectId, isChecked: true },
      '@': { kind: 'good', projectId: 'other', isChecked: true, before },
      '!': { kind: 'ended', before },
      '-': { kind: 'undeployed', before },
      ...(to && {
        '>': { kind: 'rolled-back', projectId, restored: to, isConfirmed: true, before },
        '~': { kind: 'rolled-back', projectId, restored: to, isConfirmed: false, before },
      }),
    };
    const end = kinds[how.slice(0, 1)];
    given.push({ record, end });
    if (end?.kind === 'good') before = id;
  }
  return given;
}

/** @param lost the ids of records that somebody deleted */
function releasesOf(history: string, lost: readonly number[] = []): Releases {
  const given = read(history).filter(({ record }) => !lost.includes(record.id));
  return {
    records: () => given.map(({ record }) => record).reverse(),
    endOf: async (record) => given.find((one) => one.record.id === record.id)?.end,
    compare: async (base, head) => compare(base, head),
    now,
  };
}

describe('what took a commit off', () => {
  it.each<[string, string, string, string | undefined]>([
    ['nothing, of what is live', 'A B', 'B', undefined],
    ['nothing, of a new commit', "A B A'", 'C', undefined],
    ['nothing, of what was never live', "A B- A'", 'B', undefined],
    ['its own run', 'A B>A', 'B', 'A 2'],
    ['its own run, which was cut off', 'A B~A', 'B', 'A 2'],
    ['its own run, and one that deployed nothing since', 'A B>A B-', 'B', 'A 2'],
    ['its own run, and one that was killed since', 'A B>A B?', 'B', 'A 2'],
    ['not what it was released after', 'A B>A B', 'B', undefined],
    ['not what it was released after, with checks that failed', 'A B>A B!', 'B', undefined],
    ['an older commit by hand', "A B A'", 'B', 'A 3'],
    ['an older commit by hand, after it was bad', "A B! A'", 'B', 'A 3'],
    ['an older commit by hand, after its run was killed', "A B? A'", 'B', 'A 3'],
    ['an older commit by hand whose checks failed', "A B A'!", 'B', 'A 3'],
    ['an older commit by hand that is under way', "A B A'…", 'B', 'A 3'],
    ['not an older commit by hand that was not deployed', "A B A'-", 'B', undefined],
    ['not an older commit by hand that was rolled back', "A B A'>B", 'B', undefined],
    ['not an older commit of a slow run', 'A B A', 'B', undefined],
    ['not a newer commit by hand', "A B'", 'A', undefined],
    ['the first of two older ones', "A B C B' A'", 'C', 'B 4'],
    ['an older commit, whatever came later', "A B A' C", 'B', 'A 3'],
    ['the first of two that went apart', "x y x'", 'y', 'x 3'],
    ['not the later of two that went apart', "x y'", 'x', undefined],
    ['an older commit by hand, behind a copy of an old record', "A B B= A'", 'B', 'A 4'],
    ['nothing, of what was never live, with a copy of its record', "A B- B= A'", 'B', undefined],
    ['nothing, by a copy of a record that deployed nothing', "A B A'- A'=", 'B', undefined],
    ['an older commit by hand, before a copy of its record', "A B A' A'=", 'B', 'A 3'],
    ['an older commit by hand, after a killed run and its copy', "A B? B= A'", 'B', 'A 4'],
    ['not at another project', "A B A'@", 'B', undefined],
  ])('%s', async (_, history, letter, takenOff) => {
    const found = await findTakenOff(releasesOf(history), commit(letter), projectId);
    const [to = '', run] = takenOff?.split(' ') ?? [];
    const at = '2026-11-23T06:41:00Z';
    expect(found).toEqual(takenOff && { restored: commit(to), runId: run, at });
  });
});

describe('the release before what is live', () => {
  it.each<[string, string, string, number[]?]>([
    ['the one before', 'A B C', 'B'],
    ['nothing is known while another run is on its way', 'A B C…', 'under-way'],
    ['nothing is known while an older run is still on its way', 'A B… C', 'under-way'],
    ['past an older run that was killed long ago', 'A B? C', 'A'],
    ['before the first release of what is live', "A B C B'", 'A'],
    ['before the first release of what is live, though it is live again by a push', 'A B C B', 'A'],
    ['none, twice back', "A B C B' A'", 'none'],
    ['not what was taken off, from a new commit', "A B C B' D", 'B'],
    ['what is live was released often', 'A B B B', 'A'],
    ['past a release that failed', 'A B C! D', 'B'],
    ['from one whose checks failed', 'A B C!', 'B'],
    ['from one whose run was killed', 'A B C?', 'B'],
    ['from one whose run was killed, and past one that was not deployed', 'A B C? D-', 'B'],
    ['before what its own run has restored', 'A B C>B', 'A'],
    ['to what its own run may have restored', 'A B C~B', 'B'],
    ['what was live before it was released again', 'A B>A C B', 'C'],
    ['not what a release by hand was to replace, though its checks failed', "A B C B'!", 'A'],
    ['past a copy of an old record', 'A B C A=', 'B'],
    ['at this project', 'A B@ C', 'A'],
    ['no record', '', 'no-record'],
    ['nothing but what was not deployed', 'A- B-', 'no-record'],
    ['the first', 'A', 'none'],
    ['the one before was deleted', 'A B C', 'gap', [2]],
    ['the one before, and all before it, were deleted', 'A B C', 'gap', [1, 2]],
    ['one between was deleted', "A B C B'", 'gap', [3]],
    ['the first release of what is live was deleted', "A B C B'", 'gap', [2]],
    ['one was deleted before one that failed', 'A B C!', 'gap', [2]],
    ['what was restored was deleted', 'A B C>B', 'gap', [2]],
    ['one that was made before there were links', 'A* B*', 'gap'],
    ['the one before was made before there were links', 'A* B', 'A'],
  ])('%s', async (_, history, wanted, lost) => {
    const releases = history === '' ? releasesOf('A', [1]) : releasesOf(history, lost);
    const found = await findPrevious(releases, projectId);
    const isCommit = wanted.length === 1;
    expect(found).toEqual(isCommit ? { kind: 'found', commit: commit(wanted) } : { kind: wanted });
  });
});

describe('what is live', () => {
  /** What is found of the last of a history, where all before it were of another environment of the project. */
  async function liveAmong(history: string): Promise<Sha | undefined> {
    const given = read(history);
    const own = given.at(-1)?.record;
    const all = given
      .map(({ record, end }) => ({ record: { ...record, ...(record !== own && elsewhere) }, end }))
      .toReversed();
    const records = {
      records: () => all.flatMap(({ record }) => (record.id === own?.id ? [record] : [])),
      endOf: async ({ id }: KeptRecord) => all.find(({ record }) => record.id === id)?.end,
      isActive: async () => true,
      everywhere: async function* () {
        for (const { record } of all) yield record;
      },
      isElsewhere: ({ environment }: KeptRecord) => environment === elsewhere.environment,
      now,
    };
    return await findLive(records, 'mark of the run that asks', projectId);
  }

  const elsewhere = { environment: 'staging' };

  it.each([
    ['A B C', 'C'],
    ['A? B? C', 'C'],
    ['A… C', undefined],
    ['A… B? C', undefined],
    ['A… B? B C', undefined],
  ])('of %s, all but the last elsewhere: %s', async (history, live) => {
    expect(await liveAmong(history)).toBe(live && commit(live));
  });

  it.each([
    ['A', 'A'],
    ['A B', 'B'],
    ['A B-', 'A'],
    ['A B!', undefined],
    ['A B?', undefined],
    ['A B…', undefined],
    ['A… B', undefined],
    ['A B@', 'A'],
    ['A@', undefined],
    ['A B>A', 'A'],
    ['A B~A', undefined],
  ])('of %s: %s', async (history, live) => {
    const { records, endOf } = releasesOf(history);
    const everywhere = async function* () {
      yield* records();
    };
    const isActive = async () => true;
    const place = { records, endOf, isActive, everywhere, isElsewhere: () => false, now };
    expect(await findLive(place, 'mark of the run that asks', projectId)).toBe(
      live && commit(live),
    );
  });
});
