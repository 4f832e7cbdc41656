import { type GitHubAccess, openOctokit, readPages } from './client.ts';
import { readAuthor } from './comments.ts';

/** An issue that is no pull request. */
export interface ListedIssue {
  number: number;
  body: string;
  url: string;
  author: string | undefined;
  isOpen: boolean;
}

/** What an issue is set to; what is absent stays. */
export interface IssueText {
  title?: string;
  body: string;
  state: 'open' | 'closed';
  /** Why it is closed. */
  state_reason?: 'completed' | 'duplicate' | 'not_planned';
}

/** An issue as GitHub's API shows it. */
interface ApiIssue {
  number: number;
  body?: string | null | undefined;
  html_url: string;
  user: { login: string } | null;
  state: string;
}

const listed = ({ number, body, html_url: url, user, state }: ApiIssue): ListedIssue => ({
  number,
  body: body ?? '',
  url,
  author: user?.login,
  isOpen: state === 'open',
});

/** The issues of the repository. */
export async function openIssues(access: GitHubAccess, signal: AbortSignal) {
  const octokit = await openOctokit(access, signal);
  const { rest, owner, repo } = octokit;
  return {
    readAuthor: () => readAuthor(octokit),
    /** Those of one author, open and closed. */
    async *list(creator: string): AsyncGenerator<ListedIssue> {
      const filter = { creator, state: 'all', direction: 'asc' } as const;
      const pages = readPages((page) =>
        rest.issues.listForRepo({ owner, repo, ...filter, ...page }),
      );
      for await (const issue of pages) if (issue.pull_request === undefined) yield listed(issue);
    },
    /** @returns undefined if GitHub answered with something else */
    async create(title: string, body: string): Promise<ListedIssue | undefined> {
      const { data } = await rest.issues.create({ owner, repo, title, body });
      return data?.number === undefined ? undefined : listed(data);
    },
    async update(number: number, text: IssueText): Promise<void> {
      await rest.issues.update({ owner, repo, issue_number: number, ...text });
    },
  };
}

/** What {@link openIssues} gives. */
export type RepositoryIssues = Awaited<ReturnType<typeof openIssues>>;
