import leven from 'leven';
import type { Project, ProjectFilter } from '../contract/project.ts';
import { listNames } from '../kernel/names.ts';
import { type SafeText, type Sanitize, safe, shorten } from '../kernel/text/safe.ts';
import type { Shard } from './intent.ts';
import { createGlob } from './model/glob.ts';

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
  const ours = new Set(ids.slice(first, end));
  return projects.filter(({ projectId }) => ours.has(projectId));
}

/** The entries of `strategy.matrix`. */
export interface Matrix {
  include: { 'project-id': SafeText; name: SafeText }[];
}

/**
 * Makes a job matrix of projects.
 *
 * @returns an error if they are too many for one matrix
 */
export function matrixOf(
  projects: readonly Project[],
  clean: Sanitize,
  shard: Shard | undefined,
): { matrix: Matrix } | { error: SafeText } {
  if (projects.length > maxJobs) {
    const parts = Math.ceil(projects.length / maxJobs) * (shard?.of ?? 1);
    const error = safe`${projects.length} projects exceed GitHub's limit of ${maxJobs} jobs in a matrix. Run this step ${parts} times, with shard: 1/${parts} to ${parts}/${parts}, or reduce the list by name-pattern or filter.`;
    return { error };
  }
  const include = projects.map(({ projectId, name }) => ({
    'project-id': clean(projectId),
    name: clean(name ?? ''),
  }));
  return { matrix: { include } };
}

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
  const narrowed = filter === 'all' ? safe`` : safe` with filter: ${clean(filter)}`;
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
