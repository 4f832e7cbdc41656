import { git } from '../git/git.ts';
import { noCommit, type PushedCommit, type RefChange } from './events.ts';
import type { World } from './state/world.ts';

const lines = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** The branches and tags of a repository, by their full names. */
export async function readRefs(folder: string): Promise<Map<string, string>> {
  // What a tag with a message points to is the commit.
  const format = '--format=%(refname) %(objectname) %(*objectname)';
  const found = await git([
    `--git-dir=${folder}`,
    'for-each-ref',
    format,
    'refs/heads',
    'refs/tags',
  ]);
  return new Map(
    lines(found).map((line) => {
      const [ref = '', own = '', commit = ''] = line.split(' ');
      return [ref, commit || own];
    }),
  );
}

/** What differs between two readings of the references. */
export function changesBetween(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): RefChange[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((ref) => ({
      ref,
      before: before.get(ref) ?? noCommit,
      after: after.get(ref) ?? noCommit,
    }))
    .filter((change) => change.before !== change.after);
}

/** Commits that some tips lead to and others do not, the oldest first. */
export async function readCommits(
  folder: string,
  tips: Iterable<string>,
  known: Iterable<string> = [],
): Promise<(PushedCommit & { parents: string[] })[]> {
  const asked = [...tips, ...Array.from(known, (one) => `^${one}`)].filter(
    (one) => !one.endsWith(noCommit),
  );
  const format = '--format=%H%x00%P%x00%T%x00%an%x00%cI%x00%B%x00%x01';
  const args = [`--git-dir=${folder}`, 'log', '--topo-order', '--reverse', format, '--stdin'];
  if (asked.every((one) => one.startsWith('^'))) return [];
  const found = await git(args, { input: `${asked.join('\n')}\n` });
  return found
    .split('\u0000\u0001')
    .map((record) => record.trimStart())
    .filter((record) => record !== '')
    .map((record) => {
      const [id = '', parents = '', tree = '', author = '', at = '', message = ''] =
        record.split('\0');
      const all = parents.split(' ').filter((one) => one !== '');
      return { id, parents: all, tree, author, at, message: message.trimEnd() };
    });
}

/** Lets GitHub know what a repository's git has: branches, tags and the commits that lead to them. */
export async function learnHistory(
  world: World,
  repository: string,
  folder: string,
  refs: ReadonlyMap<string, string>,
  known: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  for (const { id, parents, tree, message } of await readCommits(
    folder,
    refs.values(),
    known.values(),
  )) {
    world.commits.set(`${repository}@${id}`, { parents, tree, message });
  }
  for (const ref of known.keys()) world.refs.delete(keyOf(repository, ref));
  for (const [ref, commit] of refs) world.refs.set(keyOf(repository, ref), commit);
}

const keyOf = (repository: string, ref: string) =>
  `${repository}@${ref.replace(/^refs\/(?:heads|tags)\//, '')}`;

const merger = {
  GIT_AUTHOR_NAME: 'GitHub',
  GIT_AUTHOR_EMAIL: 'noreply@github.com',
  GIT_COMMITTER_NAME: 'GitHub',
  GIT_COMMITTER_EMAIL: 'noreply@github.com',
} as const;

/**
 * Writes what GitHub keeps of a pull request: `refs/pull/7/head`, and `refs/pull/7/merge` with a commit that merges the
 * head into the base.
 *
 * @returns the merge's commit; null if they conflict, or git is too old to tell (before 2.38)
 */
export async function writePullRefs(
  folder: string,
  { number, base, head }: { number: number; base: string; head: string },
): Promise<string | null> {
  const run = (args: readonly string[]) => git([`--git-dir=${folder}`, ...args], { env: merger });
  await run(['update-ref', `refs/pull/${number}/head`, head]);
  const tree = await run(['merge-tree', '--write-tree', base, head]).catch(() => undefined);
  if (tree === undefined) {
    await run(['update-ref', '-d', `refs/pull/${number}/merge`]);
    return null;
  }
  const message = `Merge ${head} into ${base}`;
  const merge = await run(['commit-tree', tree, '-p', base, '-p', head, '-m', message]);
  await run(['update-ref', `refs/pull/${number}/merge`, merge]);
  return merge;
}
