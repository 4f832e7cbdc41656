import type { Comparison, Sha } from '../contract/commit.ts';
import { mayBeGoing, type ReleaseEnd, type ReleaseRecord } from '../github/model/record-signer.ts';
import { isRunId } from '../kernel/cryptography.ts';

/** A signed record: a release of this action. */
export interface KeptRecord extends ReleaseRecord {
  id: number;
  /** When it was created, by GitHub's clock: ISO 8601. */
  at: string;
}

/** A GitHub deployment created by this action, or by someone who writes the same. */
export interface MadeRecord {
  id: number;
  /** Unique to the run; undefined in old ones. */
  mark: unknown;
  /** What it says of itself, if that is signed. */
  record: KeptRecord | undefined;
}

/**
 * What is known of a series. A member throws if what it is asked for was not read yet: then that is read, and the
 * decision is made again. Each result is a request to GitHub, so cheap tests come first, and nothing catches.
 */
export interface Known {
  /** All records, newest first. */
  records(): IteratorObject<MadeRecord>;
  /** The releases of other runs, newest first, one for each run. */
  releases(): IteratorObject<KeptRecord>;
  /** Their results, which never change; undefined of one whose run has not recorded it. */
  ends(records: readonly KeptRecord[]): (ReleaseEnd | undefined)[];
  /** All their states, newest first; maybe as of an earlier question of the run. */
  states(records: readonly Pick<MadeRecord, 'id'>[]): (readonly string[])[];
  /** The last state, read since the question was asked; undefined if there is none. */
  stateNow(id: number): string | undefined;
  /** How a commit stands to another; undefined if GitHub can't compare them. */
  compare(base: Sha, head: Sha): Comparison | undefined;
  /** The mark of the run's own record; undefined if it has none. */
  own: string | undefined;
  /** Only releases of this project; undefined: of any that this series had. */
  projectId: string | undefined;
  /** In milliseconds since the epoch. */
  now: number;
}

/** One record of each run: a request that took effect twice, or a copy, gives a run two. With a result, else the first. */
export function* oneOfEach(
  records: readonly KeptRecord[],
  ends: Known['ends'],
): Generator<KeptRecord> {
  const runs = Map.groupBy(records, ({ mark }) => mark);
  for (const record of records) {
    const some = runs.get(record.mark) ?? [];
    const at = some.length < 2 ? 0 : ends(some).findLastIndex((end) => end !== undefined);
    if (some.at(at) === record) yield record;
  }
}

const endOf = (known: Known, record: KeptRecord): ReleaseEnd | undefined => known.ends([record])[0];

/** True if a result is of the project, or names none. */
const isAt = ({ projectId }: Known, end: ReleaseEnd | undefined): boolean =>
  projectId === undefined ||
  end === undefined ||
  !('projectId' in end) ||
  end.projectId === projectId.toLowerCase();

/** True if it may have changed what is live here. */
const counts = (known: Known, end: ReleaseEnd | undefined): boolean =>
  end?.kind !== 'undeployed' && isAt(known, end);

/** A release that its record calls good: the deployment succeeded, and its checks, if any, passed. */
export interface GoodRelease {
  record: KeptRecord;
  end: Extract<ReleaseEnd, { kind: 'good' }>;
}

/** The newest good release. */
export function lastGood(known: Known): GoodRelease | undefined {
  for (const record of known.releases()) {
    const end = endOf(known, record);
    if (end?.kind === 'good' && isAt(known, end)) return { record, end };
  }
  return undefined;
}

/** Of how many of the newest runs the records are read. */
const mostRuns = 30;

/** The newest releases of other runs that are older than a record. */
const earlierThan = (known: Known, ownId: number): KeptRecord[] =>
  known
    .releases()
    .filter(({ id }) => id < ownId)
    .take(mostRuns - 1)
    .toArray();

/**
 * The id of the good record before a run's own, at any project; 0 if there is none, undefined if that is not known.
 *
 * @param ownId what has started since is not before it
 */
export function goodBefore(known: Known, ownId = Infinity): number | undefined {
  const earlier = earlierThan(known, ownId);
  const good = earlier.find((one) => endOf(known, one)?.kind === 'good');
  // A full list may not reach back to it.
  return good?.id ?? (earlier.length < mostRuns - 1 ? 0 : undefined);
}

/** The commit that was live before a run, or `none`: no earlier run has deployed. */
export type LiveBefore = Sha | 'none';

/**
 * What an earlier run surely left live before a run's own, at any project; undefined if that is not known. It asks nothing
 * that {@link goodBefore} does not ask.
 */
export function liveBefore(known: Known, ownId = Infinity): LiveBefore | undefined {
  const earlier = earlierThan(known, ownId);
  const last = earlier.find((one) => counts(known, endOf(known, one)));
  if (last === undefined) return earlier.length < mostRuns - 1 ? 'none' : undefined;
  const [states] = known.states([last]);
  return states?.[0] === 'inactive' ? undefined : leftLive(last, endOf(known, last));
}

/** How many of the newest runs of a series may be in progress. */
const mostOthers = 100;

/**
 * What a commit may be older than, newest first: the newest good release, and those that may still be going. Whether one
 * before the good one is over was not read: mostly it is no newer.
 */
export function mayBeNewer(known: Known): { record: KeptRecord; isGood: boolean }[] {
  const found: { record: KeptRecord; isGood: boolean }[] = [];
  for (const record of known.releases().take(mostOthers)) {
    const hasGood = found.some(({ isGood }) => isGood);
    const mayGo = mayBeGoing(record, known.now);
    if (hasGood && !mayGo) continue;
    const end = hasGood ? undefined : endOf(known, record);
    const isGood = end?.kind === 'good';
    if (isGood || (mayGo && end === undefined)) found.push({ record, isGood });
  }
  return found;
}

/** Another run's release. */
interface OtherRelease {
  record: KeptRecord;
  isGood: boolean;
  /** Its run may still be going. */
  isUnderWay: boolean;
  /** It was recorded after the run's own, or that is not recorded and it may still be going. */
  isLater: boolean;
}

/**
 * The newest releases of other runs, newest first: those that may still be going, those recorded after the run's own,
 * and the newest good one. Runs that deployed nothing are left out.
 */
export function otherReleases(known: Known): OtherRelease[] {
  const newest = known.releases().take(mostOthers).toArray();
  const listed = ofNewestRuns(known, mostOthers).toArray();
  // Of two runs each must see the same one as later, so the oldest of a mark counts: the others are doubles or copies.
  const firstOf = (mark: string | undefined) =>
    listed.findLast(({ record }) => record && record.mark === mark)?.id;
  const ownId = firstOf(known.own);
  const isAfter = ({ id, mark }: KeptRecord) =>
    ownId !== undefined && (firstOf(mark) ?? id) > ownId;
  const mayGo = (one: KeptRecord) => mayBeGoing(one, known.now);
  known.ends(newest.filter((one) => mayGo(one) || isAfter(one)));
  const others: OtherRelease[] = [];
  for (const record of newest) {
    const hasGood = others.some(({ isGood }) => isGood);
    if (hasGood && !mayGo(record) && !isAfter(record)) continue;
    const end = endOf(known, record);
    const isGood = end?.kind === 'good';
    const isUnderWay = end === undefined && mayGo(record);
    const isNewer = ownId === undefined ? isUnderWay : isAfter(record);
    const isLater = isNewer && end?.kind !== 'undeployed';
    if (isUnderWay || isLater || (isGood && !hasGood)) {
      others.push({ record, isGood, isUnderWay, isLater });
    }
  }
  return others;
}

/** True if one of them may still be going: even an old one may be the last to deploy. */
const isAnyUnderWay = (known: Known, records: readonly KeptRecord[]): boolean =>
  known.ends(records.filter((one) => mayBeGoing(one, known.now))).includes(undefined);

/** The newest release, whatever its result; undefined if there is none, or one may still be going. */
export function lastRelease(known: Known): KeptRecord | undefined {
  const newest = known.releases().take(mostOthers).toArray();
  return isAnyUnderWay(known, newest) ? undefined : newest[0];
}

/** How many of the newest releases are asked what is live. */
const mostRead = 60;

/** What a release surely left live. */
function leftLive({ commit }: KeptRecord, end: ReleaseEnd | undefined): Sha | undefined {
  if (end?.kind === 'good') return commit;
  return end?.kind === 'rolled-back' && end.isConfirmed ? end.restored : undefined;
}

/**
 * The commit that surely is live apart from the run's own release, and its record; undefined if a run may have deployed
 * without a recorded result, or is deploying.
 */
export function live(known: Known) {
  const newest = known.releases().take(mostRead).toArray();
  if (isAnyUnderWay(known, newest)) return undefined;
  const last = newest.find((one) => counts(known, endOf(known, one)));
  const commit = last && leftLive(last, endOf(known, last));
  return last && commit && known.stateNow(last.id) !== 'inactive'
    ? { record: last, commit }
    : undefined;
}

/** How many records of other series are read. */
const mostElsewhere = 20;

/** True if another series may have released to the project since a record of this one, or may still do so. */
export function mayBeReplaced(
  known: Known,
  { id }: KeptRecord,
  isElsewhere: (record: KeptRecord) => boolean,
): boolean {
  let read = 0;
  let over = 0;
  for (const one of known.releases()) {
    const isOlder = one.id < id;
    // An older run with a longer time limit may still be in progress.
    const isOver = isOlder && !mayBeGoing(one, known.now);
    if (isOver) over += 1;
    if (over > mostElsewhere) return false;
    if (isOver || !isElsewhere(one)) continue;
    read += 1;
    const end = endOf(known, one);
    const mayReplace = isOlder ? end === undefined : counts(known, end);
    if (mayReplace || read > mostElsewhere) return true;
  }
  return false;
}

/** What replaced a commit: the rollback of its own run, or an older commit that a user chose. */
export interface RolledBack {
  by: KeptRecord;
  /** The commit that replaced it. */
  restored: Sha;
}

/**
 * What replaced a commit since its last release that may have been live. Older means an ancestor; of commits that have
 * diverged, as after a force push, the one released first.
 */
export function rolledBack(known: Known, commit: Sha): RolledBack | undefined {
  // A copy has no result, and its original may be anywhere before it.
  const all = known.releases().toArray();
  const isRelease = (one: KeptRecord): boolean => {
    const end = one.commit === commit ? endOf(known, one) : undefined;
    return end !== undefined && counts(known, end);
  };
  // One that was killed may have been live, too; one in progress is not yet.
  const mayBe = (one: KeptRecord) => one.commit === commit && !mayBeGoing(one, known.now);
  const isUnsure = (one: KeptRecord) => mayBe(one) && endOf(known, one) === undefined;
  const last = all.find(isRelease) ?? all.findLast(isUnsure);
  if (last === undefined) return undefined;
  const end = endOf(known, last);
  if (end?.kind === 'rolled-back') return { by: last, restored: end.restored };
  const chosen = all
    .slice(0, all.indexOf(last))
    .filter((one) => {
      if (one.isByHand !== true || one.commit === commit) return false;
      const result = endOf(known, one);
      // One in progress, or whose checks failed, still counts: a user wants it live.
      return counts(known, result) && result?.kind !== 'rolled-back';
    })
    .reverse();
  const began = (of: Sha) => all.findLastIndex((one) => one.commit === of);
  const by =
    chosen.find((one) => known.compare(commit, one.commit) === 'behind') ??
    chosen.find(
      (one) => known.compare(commit, one.commit) !== 'ahead' && began(one.commit) > began(commit),
    );
  return by && { by, restored: by.commit };
}

/** The release before what is live, or why it is not known. */
export type Previous =
  | { kind: 'found'; commit: Sha }
  /**
   * No release is recorded here; the live one is the first, or all before it were rolled back; a record is missing, or
   * does not name the one before it; another run is deploying here.
   */
  | { kind: 'no-record' | 'none' | 'gap' | 'under-way' };

/** The live commit, the index of its last record and that of its first release; without a clear result it counts as live. */
function liveIn(known: Known, all: readonly KeptRecord[]) {
  const last = all.findIndex((one) => counts(known, endOf(known, one)));
  const newest = all[last];
  if (newest === undefined) return undefined;
  const left = leftLive(newest, endOf(known, newest));
  const isFirst = (one: KeptRecord) => {
    const end = one.commit === left ? endOf(known, one) : undefined;
    return end?.kind === 'good' && isAt(known, end);
  };
  const first = left === undefined ? last : all.findLastIndex(isFirst);
  return { commit: left ?? newest.commit, last, first };
}

/**
 * Finds the newest good release before the live one that was not rolled back. Each result names the good record before
 * it: if that does not exist, an earlier release may be missing.
 */
export function previous(known: Known): Previous {
  const all = known.releases().toArray();
  if (isAnyUnderWay(known, all)) return { kind: 'under-way' };
  /** True if the good record before it is missing, or not known. */
  const isAfterGap = (one: KeptRecord) => {
    const { before, kind } = endOf(known, one) ?? {};
    if (before === undefined) return kind === 'good';
    const good = all.find(({ id }) => id === before);
    return before !== 0 && (good === undefined || endOf(known, good)?.kind !== 'good');
  };
  const current = liveIn(known, all);
  const last = current?.last ?? all.length;
  if (all.slice(0, last + 1).some(isAfterGap)) return { kind: 'gap' };
  if (current === undefined) return { kind: 'no-record' };
  // What was restored has no record.
  if (current.first < 0) return { kind: 'gap' };
  for (const [index, one] of all.entries()) {
    if (index <= last) continue;
    const end = endOf(known, one);
    const isEarlier = index > current.first && one.commit !== current.commit;
    if (isEarlier && end?.kind === 'good' && isAt(known, end) && !rolledBack(known, one.commit)) {
      return { kind: 'found', commit: one.commit };
    }
    if (isAfterGap(one)) return { kind: 'gap' };
  }
  return { kind: 'none' };
}

/** The records of the newest runs. Those without a signature count apart, so that neither can hide the others. */
function* ofNewestRuns(known: Known, most = mostRuns): Generator<MadeRecord> {
  const signed = new Set<unknown>();
  const others = new Set<unknown>();
  for (const one of known.records()) {
    const runs = one.record === undefined ? others : signed;
    const isFull = runs.size === most && !runs.has(one.mark);
    if (isFull && runs === signed) return;
    if (isFull) continue;
    runs.add(one.mark);
    yield one;
  }
}

/** True if a newer record than a run's own ended well; not if it was skipped, failed or is in progress. */
export function isFollowed(known: Known, ownId: number): boolean {
  const newer = ofNewestRuns(known)
    .filter(({ id, mark }) => id > ownId && mark !== known.own)
    .toArray();
  known.ends(newer.flatMap(({ record }) => record ?? []));
  return newer.some(({ id, record }) =>
    // One signed with another key counts by its state.
    record ? endOf(known, record)?.kind === 'good' : known.stateNow(id) === 'success',
  );
}

/** Those of some records that are not inactive. */
function activeOf(known: Known, records: readonly MadeRecord[]): MadeRecord[] {
  const states = known.states(records);
  return records.filter((_, index) => states[index]?.[0] !== 'inactive');
}

/** The other records of a run's own mark that are not inactive: its request took effect twice. */
export function doublesOf(known: Known, ownId: number): MadeRecord[] {
  const listed = ofNewestRuns(known).toArray();
  return activeOf(
    known,
    listed.filter(({ id, mark }) => mark === known.own && id !== ownId),
  );
}

/**
 * The earlier records that a success of a run replaces, down to one that was a success and was replaced: that, or what
 * replaced it, has replaced those before.
 */
export function replacedByOwn(known: Known, ownId: number): MadeRecord[] {
  const replaced: MadeRecord[] = [];
  for (const one of ofNewestRuns(known)) {
    if (one.id >= ownId || one.mark === known.own) continue;
    const [states = []] = known.states([one]);
    if (states[0] !== 'inactive') replaced.push(one);
    // Not one that was good, but overtaken: it has replaced none.
    else if (one.record && states.includes('success') && endOf(known, one.record)?.kind === 'good')
      break;
  }
  return replaced;
}

/**
 * The records of a preview that are not inactive, without those of newer runs, which an older run must not end.
 *
 * @param runId the id of this run; if it is not a number, no record counts as newer
 */
export function unended(known: Known, runId: string | undefined): MadeRecord[] {
  const isNewer = ({ record }: MadeRecord) =>
    isRunId(runId) && isRunId(record?.runId) && BigInt(record.runId) > BigInt(runId);
  const listed = ofNewestRuns(known).toArray();
  return activeOf(
    known,
    listed.filter((one) => !isNewer(one)),
  );
}
