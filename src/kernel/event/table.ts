/**
 * Who can trigger an event, according to GitHub's documentation of events:
 * - `writer`: only users with write access, or a schedule.
 * - `app`: an app or a writer, by a report about a commit, which may be anyone's.
 * - `proposer`: the author of a pull request.
 * - `speaker`: the author of an issue, a comment, a review or a discussion.
 * - `anybody`: anyone, and the payload has no author association.
 */
export type StarterKind = 'writer' | 'app' | 'proposer' | 'speaker' | 'anybody';

/** What is known of an event, whatever its payload. */
export type EventTraits = (
  | { starter: 'writer' | 'app' | 'anybody' }
  /** `written` is the payload's object that has the `author_association`. */
  | { starter: 'proposer' | 'speaker'; written: string }
) & {
  /** The payload's object and field with the commit; absent: it is `GITHUB_SHA`. */
  commit?: readonly [object: string, field: string];
  /** True if the commit is on a branch of the repository, or was requested manually. */
  isMerged?: true;
  /** True if the payload has the pull request whose code it is about. */
  isPullRequest?: true;
  /** True if GitHub gives no secrets to the runs of forks. */
  withholdsSecrets?: true;
};

const writer = { starter: 'writer' } as const;
const app = { starter: 'app' } as const;
const anybody = { starter: 'anybody' } as const;
const merged = { ...writer, isMerged: true } as const;
const speaker = (written: string) => ({ starter: 'speaker', written }) as const;
const ofPullRequest = { isPullRequest: true, commit: ['pull_request', 'head'] } as const;
const withholding = { ...ofPullRequest, withholdsSecrets: true } as const;
const proposer = { starter: 'proposer', written: 'pull_request' } as const;

/** Every event that can start a workflow. Anyone may trigger one that is not listed here. */
const table: Readonly<Record<string, EventTraits>> = {
  // Outside GitHub there is no event, and the user has the key.
  '': merged,
  push: merged,
  schedule: merged,
  workflow_dispatch: merged,
  repository_dispatch: merged,
  release: merged,

  pull_request: { ...proposer, ...withholding },
  pull_request_target: { ...proposer, ...ofPullRequest },
  pull_request_review: { ...speaker('review'), ...withholding },
  pull_request_review_comment: { ...speaker('comment'), ...withholding },
  issue_comment: speaker('comment'),
  commit_comment: speaker('comment'),
  discussion_comment: speaker('comment'),
  issues: speaker('issue'),
  discussion: speaker('discussion'),
  gollum: anybody,
  fork: anybody,
  watch: anybody,

  check_run: { ...app, commit: ['check_run', 'head_sha'] },
  check_suite: { ...app, commit: ['check_suite', 'head_sha'] },
  deployment: { ...app, commit: ['deployment', 'sha'] },
  deployment_status: { ...app, commit: ['deployment', 'sha'] },
  status: app,
  registry_package: app,

  merge_group: { ...writer, commit: ['merge_group', 'head_sha'] },
  branch_protection_rule: writer,
  create: writer,
  delete: writer,
  image_version: writer,
  label: writer,
  milestone: writer,
  page_build: writer,
  project: writer,
  project_card: writer,
  project_column: writer,
  public: writer,
};

/** What is known of an event; undefined for an unknown one, and for `workflow_run`, whose payload has its cause. */
export function traitsOf(name: string): EventTraits | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
