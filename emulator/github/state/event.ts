/** What happened in a repository, as GitHub tells a workflow. */
export type GitHubEvent = {
  /** `push`, `pull_request`, `workflow_dispatch`, `schedule`. */
  name: string;
  /** `owner/name`. */
  repository: string;
  payload: Readonly<Record<string, unknown>>;
  /** What `GITHUB_REF` is: a branch, a tag, or `refs/pull/7/merge`. */
  ref: string;
  /** What `GITHUB_SHA` is. */
  sha: string;
  /** The login of who did it. */
  actor: string;
  /** The workflow file that it is for; each that it starts if absent. */
  workflow?: string;
};
