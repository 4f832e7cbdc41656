import type { ListedComment } from '../platform.ts';
import { type GitHubAccess, openOctokit, readPages } from './client.ts';
import { type ApiComment, listed, readAuthor } from './comments.ts';

/** An issue as it is listed. */
export interface ListedIssue extends ListedComment {
  number: number;
  isOpen: boolean;
}

/** What an issue is set to; what is absent stays. */
export interface IssueChange {
  title?: string;
  body: string;
  state: 'open' | 'closed';
  /** Why it is closed. */
  state_reason?: 'completed' | 'duplicate' | 'not_planned';
}

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
    update: async (number: number, change: IssueChange): Promise<void> => {
      await issues.update({ owner, repo, issue_number: number, ...change });
    },
  };
}

/** What {@link openIssues} gives. */
export type RepositoryIssues = Awaited<ReturnType<typeof openIssues>>;
