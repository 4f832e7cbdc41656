import { type GitHubStandIn, startGitHub } from '../../emulator/github/index.ts';
import {
  type DialectOptions,
  type EmulatedProject,
  type Emulator,
  startEmulator,
} from '../../emulator/index.ts';
import {
  type ActionResult,
  type RunningAction,
  type RunOptions,
  startAction,
} from '../../emulator/runner.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { shareProcess, startWatched } from '../support/shared-process.ts';
import { unpacked } from './run-step.ts';

export const repository = 'octo-org/octo-site';
export const number = 7;
export const hostname = `pr-${number}.preview.example.com`;
const key = `${repository}#${number}`;

/** A pull request on GitHub, and a service with a project for its preview. */
export interface PullRequestWorld extends AsyncDisposable {
  emulator: Emulator;
  github: GitHubStandIn;
  project: EmulatedProject;
  /** Starts the action for an event of the pull request; each run has a number of its own. */
  start(action: string, options?: Partial<RunOptions>): Promise<RunningAction>;
  /** Runs it to its end. */
  run(action: string, options?: Partial<RunOptions>): Promise<ActionResult>;
  close(): void;
  reopen(): void;
  /** The bodies of our own comments. */
  comments(): string[];
  /** The last state of each GitHub Deployment of the preview, oldest first. */
  states(): (string | undefined)[];
}

/** Starts a world with one open pull request from a branch of the same repository. */
export async function startPullRequest(dialect: DialectOptions = {}): Promise<PullRequestWorld> {
  const emulator = await startEmulator({ dialect });
  const github = await startGitHub();
  const project = await emulator.world.createProject('preview');
  const sha = await project.head();
  const repo = { full_name: repository, fork: false };
  const head = { ref: 'topic', sha, repo };
  const setState = (state: 'open' | 'closed') =>
    github.pullRequests.set(key, { number, state, head, base: { ref: 'main', sha } });
  setState('open');
  let runs = 100;

  const start = async (action: string, options: Partial<RunOptions> = {}) => {
    runs += 1;
    const payload = adjust(examplePayload('pull_request', action), {
      number,
      'pull_request.number': number,
      'pull_request.head.sha': sha,
      'pull_request.head.ref': 'topic',
      'pull_request.head.repo.full_name': repository,
      'pull_request.base.repo.full_name': repository,
    });
    return startAction({
      action: unpacked,
      event: { name: 'pull_request', payload },
      launch: startWatched,
      ...options,
      github: {
        repository,
        runId: String(runs),
        apiUrl: github.url,
        token: 'fake-github-token',
        ...options.github,
      },
      inputs: {
        'api-key': emulator.key,
        'base-url': emulator.url,
        'project-id': project.id,
        'preview-domain': 'pr-{number}.preview.example.com',
        ...options.inputs,
      },
    });
  };
  return {
    emulator,
    github,
    project,
    start,
    run: async (action, options) =>
      (await start(action, { launch: shareProcess, ...options })).done,
    close: () => setState('closed'),
    reopen: () => setState('open'),
    comments: () =>
      github
        .comments(repository, number)
        .filter(({ user }) => user?.login === 'github-actions[bot]')
        .map(({ body = '' }) => body),
    states: () => github.deployments(repository).map(({ statuses }) => statuses.at(-1)?.state),
    [Symbol.asyncDispose]: async () => {
      await emulator.close();
      await github[Symbol.asyncDispose]();
    },
  };
}
