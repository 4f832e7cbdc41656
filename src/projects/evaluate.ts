import leven from 'leven';
import type { Project, ProjectFilter } from '../contract/project.ts';
import { listNames } from '../kernel/text/list-names.ts';
import { type SafeText, safe, shorten } from '../kernel/text/safe.ts';
import type { Sanitize } from '../kernel/text/sanitize.ts';
import type { Shard } from './intent.ts';
import { createGlob } from './model/glob.ts';

/** GitHub's limit for the jobs of one matrix. */
export const maxJobs = 256;

/** Tells the projects whose whole name matches a glob; without a pattern, all. */
export function nameFilter(pattern: string | undefined): (project: Project) => boolean {
  if (pattern === undefined) return () => true;
  const matches = createGlob(pattern);
  return ({ name }) => matches(name ?? '');
}

/**
 * The projects of one part, in the order given. Which part a project falls into follows from its id, not from
 * the order of the list: that changes with each activity, and the parts of one fleet are listed at different
 * times.
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
 * @param clean makes a project's id and name printable
 * @returns an error that says how to split them, if they are too many for one matrix
 */
export function matrixOf(
  projects: readonly Project[],
  clean: Sanitize,
  shard: Shard | undefined,
): { matrix: Matrix } | { error: SafeText } {
  if (projects.length > maxJobs) {
    const parts = Math.ceil(projects.length / maxJobs) * (shard?.of ?? 1);
    const error = safe`${projects.length} projects are more than the ${maxJobs} jobs that GitHub allows in one matrix. Split them: run this step ${parts} times, with shard: 1/${parts} to ${parts}/${parts}, or narrow them by name-pattern or filter.`;
    return { error };
  }
  const include = projects.map(({ projectId, name }) => ({
    'project-id': clean(projectId),
    name: clean(name ?? ''),
  }));
  return { matrix: { include } };
}

/** A longer name is not looked at, in UTF-16 units: how near it is takes time that grows with its square. */
const longest = 128;

/** The most names that are told. */
const most = 5;

/** How far a name is from a pattern: 0 if they differ by case alone, and else the letters that differ. */
function distanceFrom(pattern: string): (name: string) => number {
  const folded = pattern.toLowerCase();
  const matches = createGlob(folded);
  // What the pattern says of a name, without what stands for anything.
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

/** The names that a pattern may have meant, the nearest first. */
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
 * Says that no project matches, and what to look at: the names that are near, or else some that there are.
 *
 * @param all what the service listed under the filter
 * @param clean makes a name printable
 */
export function describeEmpty(
  all: readonly Project[],
  { filter, pattern }: { filter: ProjectFilter; pattern: string | undefined },
  clean: Sanitize,
): SafeText {
  const narrowed = filter === 'all' ? safe`` : safe` with filter: ${clean(filter)}`;
  if (pattern === undefined || all.length === 0) {
    return safe`The service lists no project${narrowed}: see that api-key belongs to the workspace whose projects are meant${filter === 'all' ? safe`` : safe`, and that filter is right`}.`;
  }
  const names = all.flatMap(({ name }) => (name ? [name] : []));
  const near = nearNames(pattern, names);
  const shown = near.length > 0 ? near : names.slice(0, most);
  const listed = listNames(shown, (name) => safe`"${shorten(clean(name), 80)}"`);
  const what = near.length > 0 ? safe`Near it are` : safe`Some of their names are`;
  const told = shown.length === 0 ? safe`None of them has a name.` : safe`${what} ${listed}.`;
  return safe`name-pattern "${shorten(clean(pattern), 80)}" matches none of the ${all.length} projects that the service lists${narrowed}. ${told} A pattern must match the whole name, case included: * stands for any characters.`;
}
