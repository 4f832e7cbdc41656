import { type CommitParts, comparison, gitCommit } from '../objects/commit.ts';
import type { Call, Handler } from '../operation.ts';
import { notFound } from '../refusal.ts';
import type { World } from '../state/world.ts';

/** The operations on commits, of which GitHub knows those whose parents are known. */
export function commitOperations(world: World) {
  const find = (repository: string, sha: string): CommitParts => {
    const { parents, tree } = world.commits.get(`${repository}@${sha}`) ?? {};
    if (parents === undefined) throw notFound();
    return { repository, sha, parents, tree };
  };
  const ancestryOf = (repository: string, sha: string): Set<string> =>
    world.ancestryOf(repository, sha) ?? new Set();

  return {
    'git/get-commit': ({ repository, parameters }: Call) => ({
      status: 200,
      body: gitCommit(world.api, find(repository, parameters['commit_sha'] ?? '')),
    }),
    'repos/compare-commits-with-basehead': ({ repository, parameters, query }: Call) => {
      const [base = '', head = ''] = (parameters['basehead'] ?? '').split('...');
      const [to, from] = [find(repository, base), find(repository, head)];
      const [before, after] = [ancestryOf(repository, base), ancestryOf(repository, head)];
      const common = [...after].find((sha) => before.has(sha));
      // GitHub does not compare what has no history in common.
      if (common === undefined) throw notFound();
      const ahead = [...after].filter((sha) => !before.has(sha));
      const behindBy = [...before].filter((sha) => !after.has(sha)).length;
      const most = Number(query['per_page'] ?? 250);
      const body = comparison(world.api, {
        base: to,
        head: from,
        mergeBase: find(repository, common),
        ahead: ahead.map((sha) => find(repository, sha)),
        behindBy,
      });
      return { status: 200, body: { ...body, commits: body.commits.slice(0, most) } };
    },
  } satisfies Record<string, Handler>;
}
