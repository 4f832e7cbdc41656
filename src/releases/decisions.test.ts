// Attack (starting): Deleted, copied or forged records make `PREVIOUS` go back too far
// Defense: Only signed records of this project and environment count, one of each run; each names the good one before
// it; a gap is an error

import { describe, expect, it } from 'vitest';
import { type Given, knownOf, recordOf } from '../../test/support/deploy-history.ts';
import { type Comparison, type Sha, sha } from '../contract/commit.ts';
import type { ReleaseEnd } from '../github/model/record-signer.ts';
import {
  goodBefore,
  isFollowed,
  type Known,
  lastGood,
  lastRelease,
  live,
  liveBefore,
  mayBeReplaced,
  otherReleases,
  previous,
  replacedByOwn,
  rolledBack,
} from './decisions.ts';

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
    const record = {
      ...recordOf(id, commit(letter), how === '…' ? now : 0),
      mark: copied ?? `mark ${id}`,
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
function knownFrom(
  history: string,
  lost: readonly number[] = [],
  about: Partial<Known> = {},
): Known {
  const given = history === '' ? [] : read(history);
  const left = given.filter(({ record }) => !lost.includes(record.id));
  return knownOf(left, { projectId, now, compare, ...about });
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
  ])('%s', (_, history, letter, wanted) => {
    const found = rolledBack(knownFrom(history), commit(letter));
    const [to = '', run] = wanted?.split(' ') ?? [];
    expect(found && [found.restored, found.by.runId]).toEqual(wanted && [commit(to), run]);
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
  ])('%s', (_, history, wanted, lost) => {
    const found = previous(knownFrom(history, lost));
    const isCommit = wanted.length === 1;
    expect(found).toEqual(isCommit ? { kind: 'found', commit: commit(wanted) } : { kind: wanted });
  });
});

describe('what is live', () => {
  // All but the last are of another environment of the project.
  it.each([
    ['A B C', false],
    ['A? B? C', false],
    ['A… C', true],
    ['A… B? C', true],
    ['A… B? B C', true],
  ])('of %s, all but the last elsewhere: replaced: %s', (history, isReplaced) => {
    const given = read(history);
    const own = given.at(-1)?.record as Given['record'];
    expect(mayBeReplaced(knownFrom(history), own, ({ id }) => id !== own.id)).toBe(isReplaced);
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
    ['A B B=', 'B'],
  ])('of %s: %s', (history, letter) => {
    expect(live(knownFrom(history))?.commit).toBe(letter && commit(letter));
  });

  it('is not known of one that is inactive', () => {
    expect(live(knownFrom('A B', [], { stateNow: () => 'inactive' }))).toBeUndefined();
  });
});

describe('the last good release', () => {
  it.each([
    ['', undefined],
    ['A B', 'B'],
    ['A B! C- D?', 'A'],
    ['A B…', 'A'],
    ['A B@', 'A'],
    ['A B B=', 'B'],
  ])('of %s: %s', (history, letter) => {
    expect(lastGood(knownFrom(history))?.record.commit).toBe(letter && commit(letter));
  });

  it.each<[string, number, number | undefined]>([
    ['A', 1, 0],
    ['A B? C!', 4, 1],
    ['A B? C', 3, 1],
    ['A@ B', 2, 1],
    [`A${' B?'.repeat(29)}`, 31, undefined],
    [`A${' B?'.repeat(28)}`, 30, 1],
  ])('before a run in %s (%i): %s', (history, ownId, id) => {
    expect(goodBefore(knownFrom(history), ownId)).toBe(id);
  });
});

describe('what was live before a run', () => {
  it.each<[string, number, string | undefined]>([
    ['A', 1, 'none'],
    ['A B', 2, 'A'],
    ['A B C', 2, 'A'],
    ['A- B', 2, 'none'],
    ['A B- C', 3, 'A'],
    ['A B>A C', 3, 'A'],
    ['A B~A C', 3, undefined],
    ['A B! C', 3, undefined],
    ['A B? C', 3, undefined],
    ['A B… C', 3, undefined],
    [`A${' B-'.repeat(28)}`, 30, 'A'],
    [`A${' B-'.repeat(29)}`, 31, undefined],
  ])('in %s (%i): %s', (history, ownId, wanted) => {
    const about = { projectId: undefined };
    const found = liveBefore(knownFrom(history, [], about), ownId);
    expect(found).toBe(wanted?.length === 1 ? commit(wanted) : wanted);
    const asked = new Set<number>();
    const ends: Known['ends'] = (records) => {
      for (const { id } of records) asked.add(id);
      return knownFrom(history).ends(records);
    };
    goodBefore(knownFrom(history, [], { ...about, ends }), ownId);
    const enough = new Set(asked);
    liveBefore(knownFrom(history, [], { ...about, ends }), ownId);
    expect(asked, 'asks no more than is known').toEqual(enough);
  });

  it('is not known of a release that is inactive', () => {
    const states: Known['states'] = (records) => records.map(() => ['inactive', 'success']);
    expect(liveBefore(knownFrom('A B', [], { states }), 2)).toBeUndefined();
  });
});

describe('the last release', () => {
  it.each([
    ['', undefined],
    ['A B', 2],
    ['A B!', 2],
    ['A B-', 2],
    ['A B>A', 2],
    ["A' B A'", 3],
    ['A B?', 2],
    ['A B…', undefined],
    ['A… B', undefined],
    ['A B B=', 2],
    ['A B? B=', 2],
  ])('of %s: %s', (history, id) => {
    expect(lastRelease(knownFrom(history))?.id).toBe(id);
  });
});

describe('the releases of others', () => {
  it.each([
    ['the newest good one', 'A B C!', undefined, ['B good']],
    ['one in progress, and the good one before it', 'A B…', undefined, ['B going later', 'A good']],
    ['one in progress from before the run', 'A… B C…', 3, ['B good', 'A going']],
    ['what came after the run', 'A B… C! D- E', 2, ['E good later', 'C later']],
    ['a copy of it as one', 'A B… B=', 2, ['A good']],
  ])('are %s', (_, history, ownId, wanted) => {
    const own = ownId === undefined ? undefined : `mark ${ownId}`;
    const others = otherReleases(knownFrom(history, [], { own }));
    const words = others.map(({ record, ...is }) =>
      [
        String.fromCharCode(parseInt(record.commit.slice(0, 2), 16)),
        ...(is.isGood ? ['good'] : []),
        ...(is.isUnderWay ? ['going'] : []),
        ...(is.isLater ? ['later'] : []),
      ].join(' '),
    );
    expect(words).toEqual(wanted);
  });

  it('are not later than the run if they began before it, though their second record has the result', () => {
    const given = read('A B? C… B!');
    const [, first, , second] = given;
    if (first && second) second.record.mark = first.record.mark;
    const others = otherReleases(knownOf(given, { now, own: 'mark 3' }));
    expect(others.map(({ record, isLater }) => [record.id, isLater])).toEqual([[1, false]]);
  });
});

describe('at its success, a run', () => {
  /** The states of each record, newest first: one of `s`uccess, `i`nactive, `f`ailure, in `p`rogress. */
  const statesFrom = (all: string): Known['states'] => {
    const names = { s: 'success', i: 'inactive', f: 'failure', p: 'in_progress' };
    const given = all.split(' ').map((some) => [...some].map((one) => names[one as 's']));
    return (records) => records.map(({ id }) => given[id - 1] ?? []);
  };

  it.each([
    ['the one before', 'A B C…', 'is s', 3, [2]],
    ['the failed ones, too, down to one that was replaced', 'A B C! D…', 'is s f', 4, [3, 2]],
    ['all that were not replaced', 'A! B! C…', 'f f', 3, [2, 1]],
    ['past one that was overtaken, which had replaced none', 'A B C…', 's i', 3, [1]],
    ['past one that was skipped', 'A B- C…', 's i', 3, [1]],
    ['nothing of what came later', 'A B… C', 'is p s', 2, []],
  ])('replaces %s', (_, history, states, ownId, replaced) => {
    const about = { own: `mark ${ownId}`, states: statesFrom(states) };
    const found = replacedByOwn(knownFrom(history, [], about), ownId);
    expect(found.map(({ id }) => id)).toEqual(replaced);
  });

  it.each([
    ['A B…', 2, false],
    ['A B… C', 2, true],
    ['A B… C! D- E…', 2, false],
  ])('in %s (%i) is followed by another: %s', (history, ownId, isIt) => {
    expect(isFollowed(knownFrom(history, [], { own: `mark ${ownId}` }), ownId)).toBe(isIt);
  });
});
