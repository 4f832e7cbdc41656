import type { Sha } from '../contract/commit.ts';
import type { Octokit } from '../github-api/client.ts';
import {
  type Comparison,
  type KeptRecord,
  readEnd,
  readRecords,
} from '../github-api/deployment-history.ts';
import { type DeploymentSeries, isInactive } from '../github-api/deployments.ts';
import { mayBeGoing, type RecordSeal, type ReleaseEnd } from '../github-api/model/record-seal.ts';
import type { TakenOff } from '../release/release-history.ts';

/** The records of a series, and how each ended. */
interface Records {
  /** The newest first. */
  records(): AsyncIterable<KeptRecord> | Iterable<KeptRecord>;
  /** Its result; undefined if its run has not recorded one. */
  endOf(record: KeptRecord): Promise<ReleaseEnd | undefined>;
}

/** The recorded releases of a series. */
export interface Releases extends Records {
  /** Whether a commit is ahead of or behind another; undefined if GitHub can't compare them. */
  compare(base: Sha, head: Sha): Promise<Comparison | undefined>;
  /** In milliseconds since the epoch. */
  now: number;
}

/** The records of a series, and what shows whether a release is still live. */
interface LiveRecords extends Records {
  /** True unless it was ended or replaced. */
  isActive(record: KeptRecord): Promise<boolean>;
  /** The records of all series, the newest first. */
  everywhere(): AsyncIterable<KeptRecord>;
  /** True for a record of another series that may be of the same project. */
  isElsewhere(record: KeptRecord, projectId: string): boolean;
  /** In milliseconds since the epoch. */
  now: number;
}

/**
 * The records of a series, each with its end, as they are on GitHub.
 *
 * @param isShared true if series with other keys release to the same project
 */
export const recordsOf = (
  octokit: Octokit,
  seal: RecordSeal,
  series: DeploymentSeries,
  isShared = false,
): LiveRecords => ({
  records: () => readRecords(octokit, seal, series),
  endOf: (record) => readEnd(octokit, seal, record),
  isActive: async ({ id }) => !(await isInactive(octokit, id)),
  everywhere: () => readRecords(octokit, seal, {}),
  isElsewhere: ({ environment, key }, projectId) =>
    (environment !== series.environment || key !== series.key) &&
    (isShared || key.toLowerCase().includes(projectId.toLowerCase())),
  now: Date.now(),
});

/** How many of the newest records are read to find what is live, and how many of other series. */
const mostRead = 60;
const mostElsewhere = 20;

/** True if another series may have released to the project since a record of this one, or may still do so. */
async function mayBeReplaced(
  { everywhere, isElsewhere, endOf, now }: LiveRecords,
  { id }: KeptRecord,
  projectId: string,
): Promise<boolean> {
  let read = 0;
  let over = 0;
  for await (const record of everywhere()) {
    const isOlder = record.id < id;
    // An older run with a longer time limit may still be in progress.
    const isOver = isOlder && !mayBeGoing(record, now);
    if (isOver) over += 1;
    if (over > mostElsewhere) return false;
    if (isOver || !isElsewhere(record, projectId)) continue;
    read += 1;
    const end = await endOf(record);
    const isVoid = end?.kind === 'undeployed' || !isAt(projectId, end);
    const mayReplace = isOlder ? end === undefined : !isVoid;
    if (mayReplace || read > mostElsewhere) return true;
  }
  return false;
}

/**
 * The live commit by the records of a series; not known if a run may have deployed without a recorded result, or is
 * deploying.
 *
 * @param mark of the current run, whose own record does not count
 * @param projectId only releases of this project
 * @returns undefined if not known
 */
export async function findLive(
  releases: LiveRecords,
  mark: string,
  projectId: string,
): Promise<Sha | undefined> {
  const { records, endOf, isActive, now } = releases;
  const newest: KeptRecord[] = [];
  for await (const record of records()) {
    if (newest.push(record) === mostRead) break;
  }
  const others = (await oneOfEach(newest, endOf)).filter((record) => record.mark !== mark);
  if (await isAnyUnderWay(others, { endOf, now })) return undefined;
  for (const record of others) {
    const end = await endOf(record);
    if (end?.kind === 'undeployed' || (end !== undefined && !isAt(projectId, end))) continue;
    const commit = end && liveAfter(record, end);
    const isLive = commit !== undefined && (await isActive(record));
    return isLive && !(await mayBeReplaced(releases, record, projectId)) ? commit : undefined;
  }
  return undefined;
}

/** What a release surely left live; undefined if not known. */
function liveAfter({ commit }: KeptRecord, end: ReleaseEnd): Sha | undefined {
  if (end.kind === 'good') return commit;
  return end.kind === 'rolled-back' && end.isConfirmed ? end.restored : undefined;
}

/** True if a run of these records may still be going: even an old one may be the last to deploy. */
async function isAnyUnderWay(
  records: readonly KeptRecord[],
  { endOf, now }: Pick<Releases, 'endOf' | 'now'>,
): Promise<boolean> {
  const recent = records.filter((record) => mayBeGoing(record, now));
  const ends = await Promise.all(recent.map(endOf));
  return ends.includes(undefined);
}

/**
 * One record of each run, newest first: a request that took effect twice, or a copy, gives a run two. It is the one with
 * a result, else the first.
 */
async function oneOfEach(
  records: readonly KeptRecord[],
  endOf: Releases['endOf'],
): Promise<KeptRecord[]> {
  const runs = Map.groupBy(records, ({ mark }) => mark).values();
  const chosen = await Promise.all(
    runs.map(async (some) => {
      const first = some.at(-1);
      if (some.length < 2) return first;
      const ends = await Promise.all(some.map(endOf));
      return some[ends.findLastIndex((end) => end !== undefined)] ?? first;
    }),
  );
  return chosen.filter((record) => record !== undefined).toSorted((a, b) => b.id - a.id);
}

/** True if a result is of the project, or names none. Without a project: always. */
const isAt = (projectId: string | undefined, end: ReleaseEnd | undefined): boolean =>
  projectId === undefined ||
  end === undefined ||
  !('projectId' in end) ||
  end.projectId === projectId.toLowerCase();

const describe = ({ runId, at }: KeptRecord, restored: Sha): TakenOff => ({
  restored,
  at,
  ...(runId !== undefined && { runId }),
});

/** Finds what replaced one commit, from the records of its series, newest first. */
class TakingOff {
  readonly #releases: Releases;
  readonly #commit: Sha;
  readonly #projectId: string | undefined;
  /** Later releases of other commits that a user chose. */
  readonly #byHand: KeptRecord[] = [];
  /** Those of them that have diverged from it. */
  readonly #diverged: KeptRecord[] = [];
  /** The oldest record of each commit. */
  readonly #firsts = new Map<Sha, number>();
  /** A release of the commit without a result: it may have been live. */
  #unsure: KeptRecord | undefined;
  /** True once a release of the commit was found that was surely there. */
  #isFound = false;

  constructor(releases: Releases, commit: Sha, projectId: string | undefined) {
    this.#releases = releases;
    this.#commit = commit;
    this.#projectId = projectId;
  }

  /** Takes the next record. @returns the result; undefined if more records are needed */
  async take(record: KeptRecord): Promise<{ takenOff: TakenOff | undefined } | undefined> {
    this.#firsts.set(record.commit, record.id);
    if (this.#isFound) return undefined;
    if (record.commit !== this.#commit) {
      if (record.isByHand === true) this.#byHand.push(record);
      return undefined;
    }
    const end = await this.#releases.endOf(record);
    if (end?.kind === 'rolled-back' && isAt(this.#projectId, end)) {
      return { takenOff: describe(record, end.restored) };
    }
    if (!this.#wasThere(record, end)) return undefined;
    if (end === undefined) {
      this.#unsure = record;
      return undefined;
    }
    this.#isFound = true;
    const taker = await this.#findOlder(this.#byHand);
    if (taker !== undefined) return { takenOff: describe(taker, taker.commit) };
    return this.#diverged.length === 0 ? { takenOff: undefined } : undefined;
  }

  /** What replaced it, once all records are read. */
  async rest(): Promise<TakenOff | undefined> {
    const { id } = this.#unsure ?? {};
    const later =
      this.#isFound || id === undefined ? [] : this.#byHand.filter((one) => one.id > id);
    const wasFirst = (one: KeptRecord) =>
      (this.#firsts.get(one.commit) ?? 0) < (this.#firsts.get(this.#commit) ?? 0);
    const found = (await this.#findOlder(later)) ?? this.#diverged.find(wasFirst);
    return found && describe(found, found.commit);
  }

  /** True if a release may have been live here; one in progress is not yet. */
  #wasThere(record: KeptRecord, end: ReleaseEnd | undefined): boolean {
    if (end === undefined) return !mayBeGoing(record, this.#releases.now);
    return end.kind !== 'undeployed' && isAt(this.#projectId, end);
  }

  /** The oldest of some records whose commit is an ancestor. */
  async #findOlder(records: readonly KeptRecord[]): Promise<KeptRecord | undefined> {
    for (const record of records.toReversed()) {
      const end = await this.#releases.endOf(record);
      // One in progress, or whose checks failed, still counts: a user wants it live.
      const isVoid = end?.kind === 'undeployed' || end?.kind === 'rolled-back';
      if (isVoid || !isAt(this.#projectId, end)) continue;
      const comparison = await this.#releases.compare(this.#commit, record.commit);
      if (comparison === 'behind') return record;
      if (comparison !== 'ahead') this.#diverged.push(record);
    }
    return undefined;
  }
}

/**
 * Finds what replaced a commit since its last release: the rollback of its own run, or the release of an older commit
 * that a user chose. Older means an ancestor; if they have diverged, as after a force push, the one released first.
 *
 * @param projectId only releases of this project; absent: of any that this series had
 * @returns undefined if nothing did, or the commit was never released here
 */
export async function findTakenOff(
  releases: Releases,
  commit: Sha,
  projectId?: string,
): Promise<TakenOff | undefined> {
  const search = new TakingOff(releases, commit, projectId);
  // A copy has no result, and its original may be anywhere before it.
  for (const record of await oneOfEach(await Array.fromAsync(releases.records()), releases.endOf)) {
    const ended = await search.take(record);
    if (ended !== undefined) return ended.takenOff;
  }
  return await search.rest();
}

/** The release before what is live, or why it is not known. */
export type Previous =
  | { kind: 'found'; commit: Sha }
  /** No release is recorded here. */
  | { kind: 'no-record' }
  /** The live release is the first, or all before it were rolled back. */
  | { kind: 'none' }
  /** A record is missing, or does not name the one before it. */
  | { kind: 'gap' }
  /** Another run is deploying here. */
  | { kind: 'under-way' };

/** The live commit, and its records. */
interface Live {
  commit: Sha;
  /** The index of its last record, and of its first release, before which the previous one is. */
  last: number;
  first: number;
}

/** The records of one series, each of which names the good one before it. */
class Chain {
  readonly #releases: Releases;
  readonly #projectId: string | undefined;
  readonly #records: readonly KeptRecord[];

  constructor(releases: Releases, records: readonly KeptRecord[], projectId: string | undefined) {
    this.#releases = releases;
    this.#records = records;
    this.#projectId = projectId;
  }

  async #isGood(record: KeptRecord | undefined): Promise<boolean> {
    if (record === undefined) return false;
    return (await this.#releases.endOf(record))?.kind === 'good';
  }

  /** True if the good record before a record exists, if it names one. */
  async #isWhole(record: KeptRecord): Promise<boolean> {
    const end = await this.#releases.endOf(record);
    if (end === undefined) return true;
    const { before, kind } = end;
    if (before === undefined) return kind !== 'good';
    return before === 0 || (await this.#isGood(this.#records.find(({ id }) => id === before)));
  }

  /** The index of the first good release of a commit; -1 if there is none. */
  async #firstOf(commit: Sha): Promise<number> {
    for (let index = this.#records.length - 1; index >= 0; index -= 1) {
      const record = this.#records[index];
      if (record?.commit !== commit || !(await this.#isGood(record))) continue;
      if (isAt(this.#projectId, await this.#releases.endOf(record))) return index;
    }
    return -1;
  }

  /** The live commit; a release without a clear result counts as live. */
  async #live(): Promise<Live | 'gap' | 'under-way' | undefined> {
    if (await isAnyUnderWay(this.#records, this.#releases)) return 'under-way';
    for (const [last, record] of this.#records.entries()) {
      if (!(await this.#isWhole(record))) return 'gap';
      const end = await this.#releases.endOf(record);
      if (end?.kind === 'undeployed' || !isAt(this.#projectId, end)) continue;
      return await this.#liveAt(record, last, end);
    }
    return undefined;
  }

  /** What a release left live. */
  async #liveAt(
    { commit }: KeptRecord,
    last: number,
    end: ReleaseEnd | undefined,
  ): Promise<Live | 'gap'> {
    if (end?.kind === 'rolled-back' && end.isConfirmed) {
      const first = await this.#firstOf(end.restored);
      return first < 0 ? 'gap' : { commit: end.restored, last, first };
    }
    return { commit, last, first: end?.kind === 'good' ? await this.#firstOf(commit) : last };
  }

  async previous(): Promise<Previous> {
    const live = await this.#live();
    if (live === 'gap' || live === 'under-way') return { kind: live };
    if (live === undefined) return { kind: 'no-record' };
    for (const [index, record] of this.#records.entries()) {
      const { commit } = record;
      if (index <= live.last) continue;
      const end = await this.#releases.endOf(record);
      const isEarlier = index > live.first && commit !== live.commit;
      if (isEarlier && end?.kind === 'good' && isAt(this.#projectId, end)) {
        const listed = { ...this.#releases, records: () => this.#records };
        const takenOff = await findTakenOff(listed, commit, this.#projectId);
        if (takenOff === undefined) return { kind: 'found', commit };
      }
      if (!(await this.#isWhole(record))) return { kind: 'gap' };
    }
    return { kind: 'none' };
  }
}

/**
 * Finds the newest good release before the live one that was not rolled back. Each result names the good record before
 * it: if that does not exist, an earlier release may be missing.
 *
 * @param projectId only releases of this project; absent: of any that this series had
 */
export async function findPrevious(releases: Releases, projectId?: string): Promise<Previous> {
  const ends = new Map<number, Promise<ReleaseEnd | undefined>>();
  const endOf = (record: KeptRecord) => {
    const end = ends.get(record.id) ?? releases.endOf(record);
    ends.set(record.id, end);
    return end;
  };
  const records = await oneOfEach(await Array.fromAsync(releases.records()), endOf);
  return await new Chain({ ...releases, endOf }, records, projectId).previous();
}
