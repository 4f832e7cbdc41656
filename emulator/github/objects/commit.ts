import { idOf, user } from './actors.ts';

/** A commit as far as a test cares; the rest is filled in when it is answered. */
export type CommitParts = {
  repository: string;
  sha: string;
  parents: readonly string[];
  /** Its files; left out: a tree that no other commit has. */
  tree: string | undefined;
  message?: string | undefined;
};

const date = '2020-01-01T00:00:00Z';
const person = { name: 'octocat', email: 'octocat@example.com', date };
const verification = {
  verified: false,
  reason: 'unsigned',
  signature: null,
  payload: null,
  verified_at: null,
};

const linksOf = (api: string, repository: string, sha: string) => ({
  url: `${api}/repos/${repository}/commits/${sha}`,
  gitUrl: `${api}/repos/${repository}/git/commits/${sha}`,
  page: `https://github.com/${repository}/commit/${sha}`,
});

function partsOf(api: string, { repository, sha, parents, tree = sha }: CommitParts) {
  const { url, gitUrl, page } = linksOf(api, repository, sha);
  return {
    url,
    gitUrl,
    page,
    node_id: `C_${idOf(sha)}`,
    tree: { sha: tree, url: `${api}/repos/${repository}/git/trees/${tree}` },
    parents: parents.map((parent) => {
      const links = linksOf(api, repository, parent);
      return { sha: parent, url: links.url, html_url: links.page };
    }),
  };
}

/** A commit as git has it: `git/get-commit`. */
export function gitCommit(api: string, given: CommitParts) {
  const { gitUrl, page, node_id, tree, parents } = partsOf(api, given);
  const { message = 'A commit' } = given;
  const signed = { author: person, committer: person, message, verification };
  return { sha: given.sha, node_id, url: gitUrl, html_url: page, ...signed, tree, parents };
}

/** A commit as GitHub shows it: `repos/get-commit`, without files. */
export function commit(api: string, given: CommitParts) {
  const { url, gitUrl, page, node_id, tree, parents } = partsOf(api, given);
  const { message = 'A commit' } = given;
  const signed = { author: person, committer: person, message, verification };
  const octocat = user(api, 'octocat');
  return {
    sha: given.sha,
    node_id,
    commit: { ...signed, tree, url: gitUrl, comment_count: 0 },
    url,
    html_url: page,
    comments_url: `${url}/comments`,
    author: octocat,
    committer: octocat,
    parents,
  };
}

/** Two commits, and what leads from one to the other. */
export type ComparisonParts = {
  base: CommitParts;
  head: CommitParts;
  mergeBase: CommitParts;
  ahead: readonly CommitParts[];
  behindBy: number;
};

function statusOf({ ahead, behindBy }: ComparisonParts) {
  if (ahead.length > 0 && behindBy > 0) return 'diverged';
  if (ahead.length > 0) return 'ahead';
  return behindBy > 0 ? 'behind' : 'identical';
}

/** How the head stands to the base: `repos/compare-commits-with-basehead`, without files. */
export function comparison(api: string, given: ComparisonParts) {
  const { base, head, mergeBase, ahead, behindBy } = given;
  const between = `compare/${base.sha}...${head.sha}`;
  const page = `https://github.com/${base.repository}/${between}`;
  return {
    url: `${api}/repos/${base.repository}/${between}`,
    html_url: page,
    permalink_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    base_commit: commit(api, base),
    merge_base_commit: commit(api, mergeBase),
    status: statusOf(given),
    ahead_by: ahead.length,
    behind_by: behindBy,
    total_commits: ahead.length,
    commits: ahead.map((one) => commit(api, one)),
    files: [],
  };
}
