import { type Access, Tokens } from './access.ts';
import type { OperationId } from './description.ts';
import type { GitHubRequest, JournalEntry } from './exchange.ts';
import type { Comment } from './objects/comment.ts';
import type { Deployment } from './objects/deployment.ts';
import type { Issue } from './objects/issue.ts';
import type { PullRequest } from './objects/pull-request.ts';
import { changeIssue, type IssueChange } from './operations/issues.ts';
import {
  type NewPullRequest,
  type PullRequestChange,
  PullRequestChanges,
} from './pull-requests.ts';
import { type Hook, Reception, type Settings } from './reception.ts';
import { type GitSettings, Repositories } from './repositories.ts';
import { ServedRepositories } from './served.ts';
import { openServer } from './server.ts';
import type { WrittenComment } from './state/comments.ts';
import type { NewDeployment, NewDeploymentStatus } from './state/deployments.ts';
import type { GitHubEvent } from './state/event.ts';
import { World } from './state/world.ts';

export type { Access, Permissions } from './access.ts';
export type { OperationId } from './description.ts';
export { noCommit } from './events.ts';
export type { GitHubRequest, JournalEntry, Reply } from './exchange.ts';
export { idOf as numberOf } from './objects/actors.ts';
export type { Comment } from './objects/comment.ts';
export type { Deployment, DeploymentState, DeploymentStatus } from './objects/deployment.ts';
export type { Issue } from './objects/issue.ts';
export type { PullRequest } from './objects/pull-request.ts';
export type { NewPullRequest, PullRequestChange } from './pull-requests.ts';
export type { Hook } from './reception.ts';
export { RequestRefusal } from './refusal.ts';
export type { WrittenComment } from './state/comments.ts';
export type { NewDeployment, NewDeploymentStatus } from './state/deployments.ts';
export type { GitHubEvent } from './state/event.ts';
export type { CommitCondition, PullRequests } from './state/world.ts';
export type { OperationGroup, OwnReply, Trouble, TroubleRule } from './trouble.ts';

/** How the stand-in behaves; may be changed at any time. */
type Behaviour = Settings &
  GitSettings & {
    /** The address of the page that shows this GitHub, where browsers are sent. Null: to nowhere. */
    pageUrl: string | null;
    /** The token that may do everything. */
    readonly token: string;
    /** How long an answer takes after its effect, in milliseconds; or after what a promise waits for. */
    latency: number | ((request: GitHubRequest) => number | Promise<number>);
  };

/** What GitHub knows. The lists are live: what a test changes in them, GitHub answers from then on. */
type Knowledge = Pick<World, 'pullRequests' | 'issues' | 'withoutIssues' | 'refs' | 'commits'> & {
  /** Changes an issue, as somebody. @throws what GitHub refuses, with its words */
  changeIssue(issue: Issue, change: IssueChange, login: string): void;
  /** The comments on an issue or a pull request, oldest first. */
  comments(repository: string, number: number): Comment[];
  /** Adds comments in their order: what others wrote, or an earlier run. */
  addComments(repository: string, number: number, written: Iterable<WrittenComment>): Comment[];
  /** A repository's deployments with their statuses, oldest first. */
  deployments(repository: string): Deployment[];
  /** Adds a deployment, with the statuses that it was given so far, oldest first. */
  addDeployment(
    repository: string,
    given: NewDeployment,
    statuses?: Iterable<NewDeploymentStatus>,
  ): Deployment;
};

/**
 * A local server that stands for api.github.com, as far as is needed here. Every request and every answer is
 * validated against GitHub's OpenAPI description.
 */
export type GitHubStandIn = AsyncDisposable &
  Behaviour &
  Knowledge & {
    /** The base URL, without a slash at its end: what `GITHUB_API_URL` and `GITHUB_SERVER_URL` have to be. */
    readonly url: string;
    /** Every request so far, git's too, in the order of the answers. */
    readonly journal: readonly JournalEntry[];
    /** What was wrong with requests and answers, in sentences. Each made its request end with status 500. */
    readonly violations: readonly string[];
    /**
     * Calls back before each request for an operation has its effect, after it was found to be allowed. The
     * effect waits for what the callback returns. A callback that throws is a violation.
     */
    on(operationId: OperationId, hook: Hook): void;
    /**
     * The folder of a repository, `owner/name`, for git on this machine to push to, as somebody else. It is made,
     * and empty, when it is first asked for. The stand-in serves it, to be read only, at `{url}/{owner}/{name}`.
     */
    gitFolder(repository: string): Promise<string>;
    /**
     * Serves a copy of a git repository of this machine under a name, `owner/name`, with pushes and pull requests.
     * The folder itself is only read. With `headAs`, the copy has that one branch, which is at the folder's HEAD.
     * @throws if it is no git repository
     */
    serveRepository(repository: string, from: string, headAs?: string): Promise<void>;
    /** What a served repository calls its default branch. */
    defaultBranch(repository: string): string;
    /** Opens a pull request, as the person whom the token stands for. @throws what GitHub refuses, with its words */
    openPullRequest(repository: string, given: NewPullRequest): Promise<PullRequest>;
    /** Changes, closes or reopens one. @throws what GitHub refuses, with its words */
    updatePullRequest(
      repository: string,
      number: number,
      change: PullRequestChange,
    ): Promise<PullRequest>;
    /** Starts a workflow file of the default branch as its schedule would. @throws if there is no commit yet */
    startSchedule(repository: string, workflow: string, schedule?: string): Promise<void>;
    /** Calls back with each event that may start workflows: pushes, pull requests, and what is started by hand. */
    onEvent(listener: (event: GitHubEvent) => void): void;
    /** Makes a token as a job has it. */
    issueToken(access: Access): string;
    /** Ends a token. */
    revokeToken(token: string): void;
    /** The repositories of which anything is known, `owner/name`, in alphabetical order. */
    repositories(): string[];
    /** Calls back with each request when it is decided on, and when its answer has ended. Gives what ends that. */
    watch(listener: (entry: JournalEntry) => void): () => void;
  };

/** How to start the stand-in; everything has a default. */
export type GitHubOptions = {
  /** The token to accept. By default a fake one. */
  token?: string;
  /** Whom the token stands for: by default `github-actions[bot]`; without `[bot]`, a person. */
  login?: string;
  /** 0 takes a free port. */
  port?: number;
  /** How many requests the journal keeps, the latest ones. By default all. */
  journalLimit?: number;
};

function knowledgeOf(world: World): Knowledge {
  const { pullRequests, issues, withoutIssues, refs, commits, comments, deployments } = world;
  return {
    pullRequests,
    issues,
    withoutIssues,
    changeIssue: (issue, change, login) => changeIssue(world, issue, change, login),
    refs,
    commits,
    comments: (repository, number) => comments.of(repository, number),
    addComments: (repository, number, written) =>
      Array.from(written, (one) => comments.add(repository, number, one)),
    deployments: (repository) => deployments.of(repository),
    addDeployment: (repository, given, statuses = []) => {
      const added = deployments.add(repository, given);
      for (const status of statuses) deployments.addStatus(added, status);
      return added;
    },
  };
}

/** Starts the stand-in on the loopback interface. Disposing of it stops it. */
export async function startGitHub(options: GitHubOptions = {}): Promise<GitHubStandIn> {
  const { token = 'fake-github-token', login = 'github-actions[bot]', port = 0 } = options;
  const { url, serve, close } = await openServer(port);
  const tokens = new Tokens(token, login);
  const behaviour: Behaviour = {
    pageUrl: null,
    token,
    tokens,
    trouble: undefined,
    contents: 'token',
    onGit: undefined,
    brokenPacks: [],
    latency: 0,
  };
  const world = new World(url, login);
  const repositories = new Repositories(behaviour);
  const changes = new PullRequestChanges(world, (name) => repositories.servedFolder(name));
  const served = new ServedRepositories(world, repositories, changes);
  const reception = new Reception(world, behaviour, changes);
  const journal: JournalEntry[] = [];
  const { journalLimit = Number.POSITIVE_INFINITY } = options;
  const watchers = new Set<(entry: JournalEntry) => void>();
  const tell = (entry: JournalEntry): void => {
    for (const watcher of watchers) watcher(entry);
  };
  serve({
    served,
    tokens,
    reception,
    repositories,
    behaviour,
    note: (entry) => {
      journal.push(entry);
      if (journal.length > journalLimit) journal.shift();
      tell(entry);
    },
    ended: tell,
    latencyOf: (request) => {
      const { latency } = behaviour;
      return typeof latency === 'function' ? latency(request) : latency;
    },
  });
  return Object.assign(behaviour, knowledgeOf(world), {
    url,
    journal,
    violations: reception.violations,
    on: (operationId: OperationId, hook: Hook) => reception.on(operationId, hook),
    gitFolder: (repository: string) => repositories.folder(repository),
    serveRepository: (name: string, from: string, headAs?: string) =>
      served.serve(name, from, headAs),
    defaultBranch: (name: string) => world.defaultBranches.get(name) ?? 'main',
    openPullRequest: (name: string, given: NewPullRequest) => changes.open(name, given, login),
    updatePullRequest: (name: string, number: number, change: PullRequestChange) =>
      changes.update(name, number, change, login),
    startSchedule: (name: string, workflow: string, schedule = '') =>
      served.startSchedule(name, workflow, schedule),
    onEvent: (listener: (event: GitHubEvent) => void) => {
      world.listeners.push(listener);
    },
    issueToken: (access: Access) => tokens.issue(access),
    revokeToken: (given: string) => tokens.revoke(given),
    repositories: () => [...new Set([...world.repositories(), ...repositories.names()])].sort(),
    watch: (listener: (entry: JournalEntry) => void) => {
      watchers.add(listener);
      return () => watchers.delete(listener);
    },
    [Symbol.asyncDispose]: async () => {
      await close();
      await repositories.close();
    },
  });
}
