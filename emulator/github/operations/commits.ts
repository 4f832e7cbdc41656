import { type CommitParts, commit, comparison, gitCommit } from '../objects/commit.ts';
import type { Call, Handler } from '../operation.ts';
import { notFound, RequestRefusal } from '../refusal.ts';
import type { World } from '../state/world.ts';

/** The commits of a comparison, oldest first: one page, or without a page the last 250. */
function pageOf<Item>(all: Item[], { per_page: size, page }: Call['query']): Item[] {
  if (size === undefined && page === undefined) return all.slice(-250);
  const most = Number(size ?? 30);
  const first = (Number(page ?? 1) - 1) * most;
  return all.slice(first, first + most);
}

/** The operations on commits, of which GitHub knows those whose parents are known. */
export function commitOperations(world: World) {
  const find = (repository: string, sha: string): CommitParts => {
    const { parents, tree, message } = world.commits.get(`${repository}@${sha}`) ?? {};
    if (parents === undefined) throw notFound();
    return { repository, sha, parents, tree, message };
  };
  const ancestryOf = (repository: string, sha: string): Set<string> =>
    world.ancestryOf(repository, sha) ?? new Set();

  /** The commit of a branch, or else the one that begins with these digits. */
  const resolve = (repository: string, ref: string): string | undefined => {
    const named = world.refs.get(`${repository}@${ref.replace(/^heads\//, '')}`);
    if (named !== undefined || !/^[0-9a-f]{4,40}$/.test(ref)) return named;
    const start = `${repository}@${ref}`;
    const [found, ...others] = [...world.commits.keys()].filter((key) => key.startsWith(start));
    return others.length > 0 ? undefined : found?.slice(repository.length + 1);
  };

  return {
    'repos/get-commit': ({ repository, parameters }: Call) => {
      const ref = parameters['ref'] ?? '';
      const sha = resolve(repository, ref);
      if (sha === undefined) throw new RequestRefusal(422, `No commit found for SHA: ${ref}`);
      return { status: 200, body: commit(world.api, find(repository, sha)) };
    },
    'git/get-commit': ({ repository, parameters }: Call) => ({
      status: 200,
      body: gitCommit(world.api, find(repository, parameters['commit_sha'] ?? '')),
    }),
    'repos/compare-commits-with-basehead': ({ repository, parameters, query }: Call) => {
      const given = (parameters['basehead'] ?? '').split('...');
      const [base = '', head = ''] = given.map((ref) => resolve(repository, ref) ?? ref);
      const [to, from] = [find(repository, base), find(repository, head)];
      const [before, after] = [ancestryOf(repository, base), ancestryOf(repository, head)];
      const common = [...after].find((sha) => before.has(sha));
      // GitHub does not compare what has no history in common.
      if (common === undefined) throw notFound();
      const ahead = [...after].filter((sha) => !before.has(sha)).reverse();
      const behindBy = [...before].filter((sha) => !after.has(sha)).length;
      const body = comparison(world.api, {
        base: to,
        head: from,
        mergeBase: find(repository, common),
        ahead: ahead.map((sha) => find(repository, sha)),
        behindBy,
      });
      return { status: 200, body: { ...body, commits: pageOf(body.commits, query) } };
    },
  } satisfies Record<string, Handler>;
}
