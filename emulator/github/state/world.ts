import { idOf } from '../objects/actors.ts';
import type { PullRequest } from '../objects/pull-request.ts';
import { Comments } from './comments.ts';
import { Deployments } from './deployments.ts';
import type { GitHubEvent } from './event.ts';
import { Issues } from './issues.ts';
import { Origin } from './origin.ts';

/** Pull requests by repository and number: `octo-org/octo-site#7`. */
export type PullRequests = Map<string, PullRequest>;

/** What is known of a commit: what decides whether it may be deployed, and where it stands. */
export type CommitCondition = {
  /** The commits before it, the oldest has none. Left out: GitHub does not have the commit itself. */
  parents?: readonly string[];
  /** Its files, by their git tree. Left out: no other commit has the same. */
  tree?: string;
  message?: string;
  /** The commit statuses, by context. */
  contexts?: Readonly<Record<string, 'error' | 'failure' | 'pending' | 'success'>>;
  /** Set if the default branch has commits that this one lacks: whether they can be merged into it. */
  behind?: 'mergeable' | 'conflicting' | undefined;
};

/** Everything that GitHub knows. */
export class World extends Origin {
  readonly pullRequests: PullRequests = new Map();
  /** Issues that are not pull requests. */
  readonly issues = new Issues(this, (repository) => this.nextNumber(repository));
  /** The repositories in which issues are turned off. */
  readonly withoutIssues = new Set<string>();
  /** The commits of branches and tags, by name: `octo-org/octo-site@main`. */
  readonly refs = new Map<string, string>();
  /** By repository and commit: `octo-org/octo-site@0123…`. */
  readonly commits = new Map<string, CommitCondition>();
  readonly comments = new Comments(this);
  readonly deployments = new Deployments(this);
  /** Where a repository's default branch is not `main`. */
  readonly defaultBranches = new Map<string, string>();
  /** Called with what may start workflows. */
  readonly listeners: ((event: GitHubEvent) => void)[] = [];
  readonly #names = new Map<number, string>();

  /** Tells of an event. What a job's token does starts no workflow, but for what it asks to be started. */
  tell(event: GitHubEvent): void {
    const isStarting = event.actor !== 'github-actions[bot]' || event.workflow !== undefined;
    if (isStarting) for (const listener of this.listeners) listener(event);
  }

  /** A repository's pull requests, by number. */
  pullRequestsOf(repository: string): PullRequest[] {
    return [...this.pullRequests]
      .filter(([key]) => key.startsWith(`${repository}#`))
      .map(([, pullRequest]) => pullRequest)
      .sort((a, b) => a.number - b.number);
  }

  /** The number of the next issue or pull request. */
  nextNumber(repository: string): number {
    const all = [...this.pullRequestsOf(repository), ...this.issues.of(repository)];
    return Math.max(0, ...all.map(({ number }) => number)) + 1;
  }

  /** The repositories that have a pull request, an issue or a deployment. */
  repositories(): string[] {
    const ofPullRequests = [...this.pullRequests.keys()].map((key) => key.replace(/#\d+$/, ''));
    const others = [...this.issues.repositories(), ...this.deployments.repositories()];
    return [...ofPullRequests, ...others];
  }

  /** What is before a commit, itself too; undefined if the repository does not have the commit. */
  ancestryOf(repository: string, sha: string): Set<string> | undefined {
    if (this.commits.get(`${repository}@${sha}`)?.parents === undefined) return undefined;
    const seen = new Set([sha]);
    for (const one of seen) {
      for (const parent of this.commits.get(`${repository}@${one}`)?.parents ?? []) {
        seen.add(parent);
      }
    }
    return seen;
  }

  /** The number by which GitHub's own links name a repository. */
  numberOf(repository: string): number {
    const number = idOf(repository);
    this.#names.set(number, repository);
    return number;
  }

  /** A path with a repository's name where a link has its number: `/repos/o/r/pulls` for `/repositories/1/pulls`. */
  namedPath(path: string): string {
    return path.replace(/^\/repositories\/(\d+)/, (numbered, number) => {
      const name = this.#names.get(Number(number));
      return name === undefined ? numbered : `/repos/${name}`;
    });
  }
}
