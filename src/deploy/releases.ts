import type { Sha } from '../contract/commit.ts';
import type { Octokit } from '../records/api.ts';
import {
  type KeptRecord,
  readEnd,
  readRecords,
  type Standing,
} from '../records/deployment-history.ts';
import { isInactive } from '../records/deployment-status.ts';
import type { DeploymentPlace } from '../records/github-deployment.ts';
import { mayBeGoing, type RecordSeal, type ReleaseEnd } from '../records/model/record-seal.ts';
import type { TakenOff } from '../release/release-history.ts';

/** The records of a place, and how each ended. */
interface Records {
  /** The newest first. */
  records(): AsyncIterable<KeptRecord> | Iterable<KeptRecord>;
  /** How one ended; undefined if its run has not said so. */
  endOf(record: KeptRecord): Promise<ReleaseEnd | undefined>;
}

/** Reads what our records say of the releases of a place. */
export interface Releases extends Records {
  /** How a commit stands to another; undefined if GitHub does not compare them. */
  standing(base: Sha, head: Sha): Promise<Standing | undefined>;
  /** By a clock in milliseconds. */
  now: number;
}

/** The records of a place, and what else says whether the release of one is still live. */
interface LiveRecords extends Records {
  /** True unless it was ended, or another took its place. */
  isActive(record: KeptRecord): Promise<boolean>;
  /** The records of all places, the newest first. */
  everywhere(): AsyncIterable<KeptRecord>;
  /** True of a record of another place that may be about a project, as far as the record itself shows. */
  isElsewhere(record: KeptRecord, projectId: string): boolean;
  /** By a clock in milliseconds. */
  now: number;
}

/**
 * The records of a place, each with its end, as they are on GitHub.
 *
 * @param isShared true if places release to the same project that do not name it in their key
 */
export const recordsOf = (
  octokit: Octokit,
  seal: RecordSeal,
  place: DeploymentPlace,
  isShared = false,
): LiveRecords => ({
  records: () => readRecords(octokit, seal, place),
  endOf: (record) => readEnd(octokit, seal, record),
  isActive: async ({ id }) => !(await isInactive(octokit, id)),
  everywhere: () => readRecords(octokit, seal, {}),
  isElsewhere: ({ environment, key }, projectId) =>
    (environment !== place.environment || key !== place.key) &&
    (isShared || key.toLowerCase().includes(projectId.toLowerCase())),
  now: Date.now(),
});

/** How many of the newest records are read to find what is live, and how many of other places. */
const mostRead = 60;
const mostElsewhere = 20;

/** True if another place may have released to the project since a record of this one, or may still do so. */
async function mayBeReplaced(
  { everywhere, isElsewhere, endOf, now }: LiveRecords,
  { id }: KeptRecord,
  projectId: string,
): Promise<boolean> {
  let read = 0;
  let over = 0;
  for await (const record of everywhere()) {
    const isOlder = record.id < id;
    // A run with a longer time limit may be under way behind some whose time is over.
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
 * The commit that the records of a place say is live. One that a run may have brought there without saying so, or is
 * bringing there, leaves it unknown.
 *
 * @param mark of the run that asks, whose own record does not count
 * @param projectId only releases of this project
 * @returns undefined if they do not say it
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

/** What a release surely left live; undefined if it does not say so. */
function liveAfter({ commit }: KeptRecord, end: ReleaseEnd): Sha | undefined {
  if (end.kind === 'good') return commit;
  return end.kind === 'rolled-back' && end.isSeen ? end.restored : undefined;
}

/** True if the run of one of some records may still be going: however old it is, it may be the last to deploy. */
async function isAnyUnderWay(
  records: readonly KeptRecord[],
  { endOf, now }: Pick<Releases, 'endOf' | 'now'>,
): Promise<boolean> {
  const recent = records.filter((record) => mayBeGoing(record, now));
  const ends = await Promise.all(recent.map(endOf));
  return ends.includes(undefined);
}

/**
 * One record of each run, the newest first: a request that was carried out twice, or copied, has made two of one run.
 * It is the one that the run has ended, else the first.
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

/** True of an end at a project, or at one that it does not name. Absent: at any. */
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

/** What was found out about one commit, while the records of its place are read, the newest first. */
class TakingOff {
  readonly #releases: Releases;
  readonly #commit: Sha;
  readonly #projectId: string | undefined;
  /** Other commits that were given by hand, which are newer than what was found. */
  readonly #byHand: KeptRecord[] = [];
  /** Those of them that went apart from it. */
  readonly #beside: KeptRecord[] = [];
  /** The oldest record of each commit. */
  readonly #firsts = new Map<Sha, number>();
  /** A release whose run was killed: it may have been live, unless an older one says more. */
  #unsure: KeptRecord | undefined;
  /** True once a release of the commit was found that was surely there. */
  #isFound = false;

  constructor(releases: Releases, commit: Sha, projectId: string | undefined) {
    this.#releases = releases;
    this.#commit = commit;
    this.#projectId = projectId;
  }

  /** Takes the next record. @returns how it ends; undefined if there is more to read */
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
    return this.#beside.length === 0 ? { takenOff: undefined } : undefined;
  }

  /** What took it off, once all records are read. */
  async rest(): Promise<TakenOff | undefined> {
    const { id } = this.#unsure ?? {};
    const later =
      this.#isFound || id === undefined ? [] : this.#byHand.filter((one) => one.id > id);
    const wasFirst = (one: KeptRecord) =>
      (this.#firsts.get(one.commit) ?? 0) < (this.#firsts.get(this.#commit) ?? 0);
    const found = (await this.#findOlder(later)) ?? this.#beside.find(wasFirst);
    return found && describe(found, found.commit);
  }

  /** True if a release may have been live here; one that is under way is not yet. */
  #wasThere(record: KeptRecord, end: ReleaseEnd | undefined): boolean {
    if (end === undefined) return !mayBeGoing(record, this.#releases.now);
    return end.kind !== 'undeployed' && isAt(this.#projectId, end);
  }

  /** The oldest of some records whose commit is an ancestor. */
  async #findOlder(records: readonly KeptRecord[]): Promise<KeptRecord | undefined> {
    for (const record of records.toReversed()) {
      const end = await this.#releases.endOf(record);
      // One that is under way, or whose checks failed, is what somebody wants live.
      const isVoid = end?.kind === 'undeployed' || end?.kind === 'rolled-back';
      if (isVoid || !isAt(this.#projectId, end)) continue;
      const standing = await this.#releases.standing(this.#commit, record.commit);
      if (standing === 'behind') return record;
      if (standing !== 'ahead') this.#beside.push(record);
    }
    return undefined;
  }
}

/**
 * Finds what took a commit off its place since it was last there: its own run, which went back to another commit, or
 * the release of an older one that somebody gave by hand. Older is an ancestor; beside it, as after a force push,
 * the one that was there first.
 *
 * @param projectId only releases of this project; absent: of any that this place had
 * @returns undefined if nothing did, or the commit was never there
 */
export async function findTakenOff(
  releases: Releases,
  commit: Sha,
  projectId?: string,
): Promise<TakenOff | undefined> {
  const search = new TakingOff(releases, commit, projectId);
  for await (const record of releases.records()) {
    const ended = await search.take(record);
    if (ended !== undefined) return ended.takenOff;
  }
  return await search.rest();
}

/** The release before what is live, or why it is not known. */
export type Previous =
  | { kind: 'found'; commit: Sha }
  /** No record says that anything was released here. */
  | { kind: 'no-record' }
  /** What is live was the first, or all before it were taken off. */
  | { kind: 'none' }
  /** A record is not there any more, or one says nothing of what was before it. */
  | { kind: 'gap' }
  /** Another run is about to release here: what is live is about to change. */
  | { kind: 'under-way' };

/** What is live by the records, and from which of them on. */
interface Live {
  commit: Sha;
  /** The place in the list of what was released last, and of what was there before which is looked for. */
  last: number;
  first: number;
}

/** Looks through the records of one place. */
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

  /** True if the good record before a record is there, if it had any. */
  async #isWhole(record: KeptRecord): Promise<boolean> {
    const end = await this.#releases.endOf(record);
    if (end === undefined) return true;
    const { before, kind } = end;
    if (before === undefined) return kind !== 'good';
    return before === 0 || (await this.#isGood(this.#records.find(({ id }) => id === before)));
  }

  /** Where the first good release of a commit is in the list; -1 if there is none. */
  async #firstOf(commit: Sha): Promise<number> {
    for (let index = this.#records.length - 1; index >= 0; index -= 1) {
      const record = this.#records[index];
      if (record?.commit !== commit || !(await this.#isGood(record))) continue;
      if (isAt(this.#projectId, await this.#releases.endOf(record))) return index;
    }
    return -1;
  }

  /** What is live; where a release ended in no way that says so, it may be that. */
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
    if (end?.kind === 'rolled-back' && end.isSeen) {
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
 * Finds the newest good release before the first one of what is live now, and none that was taken off. Each end says
 * which good record was before it: where that is not there, an earlier release may be missing.
 *
 * @param projectId only releases of this project; absent: of any that this place had
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
