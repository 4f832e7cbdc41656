import type { Project } from '../../contract/project.ts';
import { type SafeText, safe } from '../text/safe.ts';
import type { Sanitize } from '../text/sanitize.ts';
import { createGlob } from './glob.ts';

/** One of some even parts: `2/5` is the second of five. */
export interface Shard {
  index: number;
  of: number;
}

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
