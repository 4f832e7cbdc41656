import leven from 'leven';
import type { Project, ProjectFilter } from '../contract/project.ts';
import { listNames } from '../kernel/names.ts';
import { type SafeText, type Sanitize, safe, shorten } from '../kernel/text/safe.ts';
import type { Shard } from './intent.ts';

/** A longer name matches no glob, in UTF-16 units, to limit the time. */
const longestName = 10_000;

/** The positions in a text up to which a part of a pattern can match, as 1s; there is one position more than characters. */
type Offsets = Uint8Array;

/** A part of a pattern: maps the positions where it may start to those where it may end. */
type Matcher = (text: readonly string[], starts: Offsets) => Offsets;

/** A parsed part, and the index in the pattern after it. */
interface Parsed {
  matcher: Matcher;
  next: number;
}

const character =
  (matches: (found: string) => boolean): Matcher =>
  (text, starts) => {
    const ends = new Uint8Array(starts.length);
    const last = starts.lastIndexOf(1);
    for (let at = Math.max(0, starts.indexOf(1)); at <= last; at += 1) {
      const found = text[at];
      if (starts[at] === 1 && found !== undefined && matches(found)) ends[at + 1] = 1;
    }
    return ends;
  };

const literal = (one: string): Matcher => character((found) => found === one);

const anything: Matcher = (_, starts) => {
  const first = starts.indexOf(1);
  const ends = new Uint8Array(starts.length);
  return first < 0 ? ends : ends.fill(1, first);
};

const sequence =
  (parts: readonly Matcher[]): Matcher =>
  (text, starts) =>
    parts.reduce((offsets, part) => (offsets.includes(1) ? part(text, offsets) : offsets), starts);

const either =
  (branches: readonly Matcher[]): Matcher =>
  (text, starts) => {
    const ends = new Uint8Array(starts.length);
    for (const branch of branches) {
      for (const [at, mark] of branch(text, starts).entries()) if (mark === 1) ends[at] = 1;
    }
    return ends;
  };

/** `[a-z_]` or `[!a-z]`, after its bracket; undefined if it is not closed. A `]` at its start is a member of the set. */
function parseSet(pattern: readonly string[], start: number): Parsed | undefined {
  const isNegated = pattern[start] === '!' || pattern[start] === '^';
  const first = isNegated ? start + 1 : start;
  const end = pattern.indexOf(']', first + 1);
  if (end < 0) return undefined;
  const ranges: (readonly [string, string])[] = [];
  for (let at = first; at < end; at += 1) {
    const from = pattern[at] ?? '';
    const isRange = pattern[at + 1] === '-' && at + 2 < end;
    ranges.push([from, isRange ? (pattern[at + 2] ?? '') : from]);
    if (isRange) at += 2;
  }
  const code = (one: string) => one.codePointAt(0) ?? 0;
  const isIn = (found: string) =>
    ranges.some(([from, to]) => code(from) <= code(found) && code(found) <= code(to));
  return { matcher: character((found) => isIn(found) !== isNegated), next: end + 1 };
}

/** `{a,b}`, after its brace; without a closing brace it is literal text. */
function parseBranches(pattern: readonly string[], start: number): Parsed {
  const branches: Matcher[] = [];
  const literalParts = [literal('{')];
  let next = start;
  for (;;) {
    const branch = parseUntil(pattern, next, ',}');
    branches.push(branch.matcher);
    literalParts.push(branch.matcher, literal(','));
    const mark = pattern[branch.next];
    next = branch.next + 1;
    if (mark === '}') return { matcher: either(branches), next };
    if (mark === undefined) return { matcher: sequence(literalParts.slice(0, -1)), next };
  }
}

function parsePart(pattern: readonly string[], at: number): Parsed {
  const one = pattern[at] ?? '';
  const next = at + 1;
  if (one === '*') return { matcher: anything, next };
  if (one === '?') return { matcher: character(() => true), next };
  if (one === '{') return parseBranches(pattern, next);
  const set = one === '[' ? parseSet(pattern, next) : undefined;
  return set ?? { matcher: literal(one), next };
}

/** Parses up to one of the marks, or to the end of the pattern. */
function parseUntil(pattern: readonly string[], start: number, marks: string): Parsed {
  const parts: Matcher[] = [];
  let next = start;
  for (let one = pattern[next]; one !== undefined && !marks.includes(one); one = pattern[next]) {
    const part = parsePart(pattern, next);
    parts.push(part.matcher);
    next = part.next;
  }
  return { matcher: sequence(parts), next };
}

/**
 * Compiles a glob, which must match the whole name: `*` is any characters, `?` is one, `[a-z]` and `[!a-z]` are one of a set,
 * `{a,b}` is either; all others, including dots and slashes, are literal. The time is at most proportional to the length
 * of the pattern times that of the name. A name of more than 10,000 characters never matches.
 */
export function createGlob(glob: string): (name: string) => boolean {
  const { matcher } = parseUntil([...glob], 0, '');
  return (name) => {
    if (name.length > longestName) return false;
    const text = [...name];
    const start = new Uint8Array(text.length + 1);
    start[0] = 1;
    return matcher(text, start)[text.length] === 1;
  };
}

/** GitHub's limit for the jobs of one matrix. */
export const maxJobs = 256;

/** A filter for projects whose whole name matches a glob; without a pattern, all match. */
export function nameFilter(pattern: string | undefined): (project: Project) => boolean {
  if (pattern === undefined) return () => true;
  const matches = createGlob(pattern);
  return ({ name }) => matches(name ?? '');
}

/**
 * The projects of one shard, in the given order. Shards depend on the ids, not on the order of the list, which changes with
 * each activity: the shards are listed at different times.
 */
export function inShard(projects: readonly Project[], shard: Shard | undefined): Project[] {
  if (shard === undefined) return [...projects];
  const { index, of } = shard;
  const ids = projects.map(({ projectId }) => projectId).sort();
  const [first, end] = [index - 1, index].map((part) => Math.floor((part * ids.length) / of));
  const chosen = new Set(ids.slice(first, end));
  return projects.filter(({ projectId }) => chosen.has(projectId));
}

/** The entries of `strategy.matrix`. */
export interface Matrix {
  include: { 'project-id': SafeText; name: SafeText }[];
}

/** Why projects are too many for one matrix, and how to part them; undefined if they are not. */
export function whyTooMany(
  { length }: readonly Project[],
  shard: Shard | undefined,
): SafeText | undefined {
  if (length <= maxJobs) return undefined;
  const parts = Math.ceil(length / maxJobs) * (shard?.of ?? 1);
  return safe`${length} projects exceed GitHub's limit of ${maxJobs} jobs in a matrix. Run this step ${parts} times, with shard: 1/${parts} to ${parts}/${parts}, or reduce the list by name-pattern or filter.`;
}

/** The job matrix of projects. */
export const matrixOf = (projects: readonly Project[], clean: Sanitize): Matrix => ({
  include: projects.map(({ projectId, name }) => ({
    'project-id': clean(projectId),
    name: clean(name ?? ''),
  })),
});

/** Longer names are not compared, in UTF-16 units: the time for it is quadratic. */
const longest = 128;

/** The maximum number of names in a message. */
const most = 5;

/** The distance of a name from a pattern: 0 if only the case differs, or else the number of different letters. */
function distanceFrom(pattern: string): (name: string) => number {
  const folded = pattern.toLowerCase();
  const matches = createGlob(folded);
  // The literal parts of the pattern.
  const words = folded.split(/[*?[\]{},!]+/).filter((word) => word.length > 2);
  const maxDistance = Math.ceil(Math.min(folded.length, longest) / 3);
  return (name) => {
    const given = name.toLowerCase();
    if (matches(given)) return 0;
    const whole = leven(given, folded.slice(0, longest), { maxDistance: maxDistance + 1 });
    if (whole <= maxDistance) return whole;
    return words.some((word) => given.includes(word)) ? maxDistance + 1 : Number.POSITIVE_INFINITY;
  };
}

/** The names that are similar to a pattern, the most similar first. */
export function nearNames(pattern: string, names: readonly string[]): string[] {
  const distance = distanceFrom(pattern);
  return [...new Set(names)]
    .filter((name) => name !== '' && name.length <= longest)
    .map((name) => ({ name, far: distance(name) }))
    .filter(({ far }) => Number.isFinite(far))
    .sort((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ name }) => name);
}

/**
 * The message that no project matches, with similar names, or else some of the existing names.
 *
 * @param all the projects that the service listed under the filter
 */
export function describeEmpty(
  all: readonly Project[],
  { filter, pattern }: { filter: ProjectFilter; pattern: string | undefined },
  clean: Sanitize,
): SafeText {
  const narrowed = filter === 'all' ? safe`` : safe` with the filter ${clean(filter)}`;
  if (pattern === undefined || all.length === 0) {
    return safe`The service lists no projects${narrowed}. Check that api-key belongs to the right workspace${filter === 'all' ? safe`` : safe`, and check filter`}.`;
  }
  const names = all.flatMap(({ name }) => (name ? [name] : []));
  const near = nearNames(pattern, names);
  const shown = near.length > 0 ? near : names.slice(0, most);
  const listed = listNames(shown, (name) => safe`"${shorten(clean(name), 80)}"`);
  const what = near.length > 0 ? safe`Similar names:` : safe`Some of their names:`;
  const hint = shown.length === 0 ? safe`None of them has a name.` : safe`${what} ${listed}.`;
  return safe`name-pattern "${shorten(clean(pattern), 80)}" matches none of the ${all.length} projects on the service${narrowed}. ${hint} A pattern must match the whole name, including case; * matches any characters.`;
}
