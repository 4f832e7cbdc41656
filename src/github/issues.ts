import type { ListedComment } from '../platform.ts';
import { type GitHubAccess, type Octokit, openOctokit, readPages } from './client.ts';
import { type ApiComment, listed, readAuthor } from './comments.ts';

/** An issue as it is listed. */
export interface ListedIssue extends ListedComment {
  number: number;
  isOpen: boolean;
}

type IssueUpdate = NonNullable<Parameters<Octokit['rest']['issues']['update']>[0]>;
type IssueChange = Pick<IssueUpdate, 'body' | 'state' | 'state_reason' | 'title'>;

const listedIssue = (issue: ApiComment & { number: number; state: string }): ListedIssue => ({
  ...listed(issue),
  number: issue.number,
  isOpen: issue.state === 'open',
});

/** Opens the issues of the repository. */
export async function openIssues(access: GitHubAccess, signal: AbortSignal) {
  const octokit = await openOctokit(access, signal);
  const { owner, repo } = octokit;
  const { issues } = octokit.rest;
  return {
    readAuthor: () => readAuthor(octokit),
    /** Those of one author that are no pull requests, open and closed. */
    async *list(creator: string): AsyncGenerator<ListedIssue> {
      const filter = { owner, repo, creator, state: 'all', direction: 'asc' } as const;
      for await (const one of readPages((page) => issues.listForRepo({ ...filter, ...page }))) {
        if (one.pull_request === undefined) yield listedIssue(one);
      }
    },
    /** @returns undefined if the response is about something else */
    async create(title: string, body: string): Promise<ListedIssue | undefined> {
      const { data } = await issues.create({ owner, repo, title, body });
      return typeof data?.number === 'number' ? listedIssue(data) : undefined;
    },
    /** Sets some of its fields. */
    update: (number: number, change: IssueChange) =>
      issues.update({ owner, repo, issue_number: number, ...change }),
  };
}

/** What {@link openIssues} gives. */
export type RepositoryIssues = Awaited<ReturnType<typeof openIssues>>;
