import type { Sha } from '../contract/commit.ts';
import type { PullRequest } from '../kernel/pull-request.ts';
import { findPullRequest, type Octokit } from '../records/api.ts';
import {
  type KeptRecord,
  type RecordFilter,
  readEnd,
  readRecords,
  readTree,
} from '../records/history.ts';
import type { RecordSeal } from '../records/model/record-seal.ts';
import { type Permission, StrangeAnswer } from '../records/trouble.ts';
import type { Verified } from '../release/history.ts';

/** How many commits GitHub is asked for the tree of: a token has so many requests an hour. */
const mostTrees = 300;

/** Asks GitHub something, and says which permission is missing where it refuses. */
export type Ask = <Answer>(
  permission: Permission,
  read: (octokit: Octokit) => Promise<Answer>,
) => Promise<Answer>;

type Seen = Extract<Verified, { kind: 'missing' }>['seen'];

/** What is nearer to a preview that counts, from the farthest on. */
const nearness: readonly Seen[] = ['nothing', 'other-files', 'not-good', 'unchecked'];

/** Looks through records for a preview with a tree, whose checks held. */
class Search {
  /** The nearest that was seen. */
  seen: Seen = 'nothing';
  readonly #ask: Ask;
  readonly #seal: RecordSeal;
  readonly #trees = new Map<Sha, Sha | undefined>();

  constructor(ask: Ask, seal: RecordSeal) {
    this.#ask = ask;
    this.#seal = seal;
  }

  /** The tree of a commit, asked for once; undefined if it is not known. */
  async treeOf(commit: Sha): Promise<Sha | undefined> {
    if (!this.#trees.has(commit) && this.#trees.size < mostTrees) {
      const tree = await this.#ask('contents: read', (octokit) => readTree(octokit, commit));
      this.#trees.set(commit, tree);
    }
    return this.#trees.get(commit);
  }

  /** The newest preview with this tree, whose checks held, among some records. */
  async find(tree: Sha, filter: RecordFilter): Promise<KeptRecord | undefined> {
    return await this.#ask('deployments: read', async (octokit) => {
      for await (const record of readRecords(octokit, this.#seal, filter)) {
        const counts = record.isPreview && (await this.#judge(octokit, record, tree));
        if (counts) return record;
      }
      return undefined;
    });
  }

  /** True if a preview had the tree, and its checks held. */
  async #judge(octokit: Octokit, record: KeptRecord, tree: Sha): Promise<boolean> {
    if ((record.tree ?? (await this.treeOf(record.commit))) !== tree) {
      this.#see('other-files');
      return false;
    }
    const end = await readEnd(octokit, this.#seal, record);
    if (end?.kind === 'good' && end.isChecked) return true;
    this.#see(end?.kind === 'good' ? 'unchecked' : 'not-good');
    return false;
  }

  #see(seen: Seen): void {
    if (nearness.indexOf(seen) > nearness.indexOf(this.seen)) this.seen = seen;
  }
}

/** The pull requests that GitHub connects with a commit, as that which was squashed into it. */
async function pullRequestsOf(ask: Ask, commit: Sha): Promise<PullRequest[]> {
  const found: PullRequest[] = [];
  const take = (one: PullRequest) => {
    found.push(one);
    return false;
  };
  await ask('pull-requests: read', (octokit) => findPullRequest(octokit, commit, take));
  return found;
}

/**
 * Finds a preview that had the files of a commit, and whose checks held, by our records: those of the commit itself,
 * then of its pull requests' heads, then all there are. The files are compared by the git tree, so that a squash merge
 * counts.
 *
 * @param wanted the tree is undefined where nothing has told it yet
 */
export async function findVerified(
  ask: Ask,
  seal: RecordSeal,
  { commit, tree: told }: { commit: Sha; tree: Sha | undefined },
): Promise<Verified> {
  const search = new Search(ask, seal);
  const tree = told ?? (await search.treeOf(commit));
  if (tree === undefined) {
    const unknown = new StrangeAnswer(`GitHub does not know the commit ${commit}`);
    return await ask('contents: read', () => Promise.reject(unknown));
  }
  const pullRequests = await pullRequestsOf(ask, commit);
  const heads = new Set([commit, ...pullRequests.map(({ sha }) => sha)]);
  for (const head of heads) {
    const record = await search.find(tree, { commit: head });
    if (record !== undefined) return verifiedBy(record);
  }
  const { seen } = search;
  const record = await search.find(tree, {});
  if (record !== undefined) return verifiedBy(record);
  const [first] = pullRequests;
  if (first === undefined) return { kind: 'missing', pullRequest: undefined, seen: search.seen };
  return { kind: 'missing', pullRequest: { number: first.number, head: first.sha }, seen };
}

const verifiedBy = ({ commit, pullRequest }: KeptRecord): Verified => ({
  kind: 'verified',
  commit,
  pullRequest,
});
