import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { writeFiles } from '../../emulator/git/template.ts';
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
import { type Sha, sha } from '../../src/contract/commit.ts';
import { taskOf } from '../../src/github/deployments.ts';
import { type ReleaseEnd, recordSignerOf } from '../../src/github/model/record-signer.ts';
import { asObject } from '../../src/kernel/json.ts';
import { deriveLedgerKeys } from '../../src/ledger/model/keys.ts';
import { git } from '../git/support.ts';
import { shareProcess, startWatched } from '../support/shared-process.ts';
import { unpacked } from './run-step.ts';

export const repository = 'octo-org/octo-site';

/** The history of the world's repository: a line of three commits, and one beside the second. */
export interface Commits {
  first: string;
  second: string;
  third: string;
  aside: string;
}

/** A repository on GitHub with some history, and a service with a project that has all of its commits. */
export interface HistoryWorld extends AsyncDisposable {
  emulator: Emulator;
  github: GitHubStandIn;
  project: EmulatedProject;
  commits: Commits;
  /** A page that shows the commit that is live. */
  page: string;
  /** The commits whose page answers 503. */
  broken: Set<string>;
  /** What happens, once, before the page of a broken commit answers. */
  onBroken: () => Promise<unknown>;
  /** Starts the action for a push of a commit; each run has a number of its own. */
  start(commit: string, options?: Partial<RunOptions>): Promise<RunningAction>;
  /** Runs it to its end. */
  run(
    commit: string,
    inputs?: Record<string, string>,
    options?: Partial<RunOptions>,
  ): Promise<ActionResult>;
  /** The commits that were deployed, in order. */
  deployed(): string[];
  /** The last state of each GitHub Deployment, oldest first. */
  states(): (string | undefined)[];
  /** The operations that GitHub was asked for since the last call. */
  asked(): string[];
}

/** The push of a commit to the main branch, as GitHub tells it. */
export const pushOf = (after: string) => ({
  name: 'push' as const,
  payload: {
    ref: 'refs/heads/main',
    after,
    head_commit: { id: after },
  },
});

/** A commit that git made, and the file that holds it in a repository. */
type Made = Promise<{ sha: string; file: [path: string, content: Buffer] }>;

/** What git made, by parent and message: all projects of a process begin with the same commit. */
const made = new Map<string, Made>();

async function makeCommit(folder: string, parent: string, message: string): Made {
  const sha = await git(folder, ['commit-tree', `${parent}^{tree}`, '-p', parent, '-m', message]);
  const path = join('objects', sha.slice(0, 2), sha.slice(2));
  return { sha, file: [path, await readFile(join(folder, path))] };
}

/**
 * Adds a commit that changes nothing to a project's repository, as the head of a branch. Git makes it once.
 *
 * @returns the commit
 */
export async function addCommit(
  project: EmulatedProject,
  parent: string,
  message: string,
  branch = 'main',
): Promise<string> {
  const folder = await project.gitFolder();
  const key = `${parent} ${message}`;
  const making = made.get(key) ?? makeCommit(folder, parent, message);
  made.set(key, making);
  const { sha, file } = await making;
  writeFiles(folder, new Map([file, [join('refs', 'heads', branch), Buffer.from(`${sha}\n`)]]));
  return sha;
}

/** Puts the commits into the project's repository, and tells GitHub of them. */
async function makeHistory(project: EmulatedProject, github: GitHubStandIn): Promise<Commits> {
  const first = await project.head();
  const second = await addCommit(project, first, 'second');
  const third = await addCommit(project, second, 'third');
  const aside = await addCommit(project, first, 'aside', 'aside');
  const parents = [
    [first, []],
    [second, [first]],
    [third, [second]],
    [aside, [first]],
  ] as const;
  for (const [sha, before] of parents) {
    github.commits.set(`${repository}@${sha}`, { parents: before });
  }
  return { first, second, third, aside };
}

/** Serves a page that shows the commit that the project served last. */
export async function servePage(
  project: EmulatedProject,
  site: Pick<HistoryWorld, 'broken' | 'onBroken'> = {
    broken: new Set(),
    onBroken: async () => undefined,
  },
) {
  const server = createServer(async (_, response) => {
    const live = project.deployments.findLast(({ status }) => status === 'succeeded');
    if (live !== undefined && site.broken.has(live.commit)) {
      const { onBroken } = site;
      site.onBroken = async () => undefined;
      await onBroken();
      response.statusCode = 503;
    }
    response.end(`live: ${live?.commit}`);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/`, [Symbol.dispose]: close };
}

/** Starts a world with some history. */
export async function startHistory(dialect: DialectOptions = {}): Promise<HistoryWorld> {
  const emulator = await startEmulator({ dialect: { buildMs: 0, ...dialect } });
  const github = await startGitHub();
  const project = await emulator.world.createProject();
  const commits = await makeHistory(project, github);
  const site = { broken: new Set<string>(), onBroken: async (): Promise<unknown> => undefined };
  const page = await servePage(project, site);
  let runs = 100;
  let seen = 0;
  const start: HistoryWorld['start'] = async (commit, options = {}) => {
    runs += 1;
    return startAction({
      action: unpacked,
      event: pushOf(commit),
      launch: startWatched,
      ...options,
      github: {
        repository,
        runId: String(runs),
        apiUrl: github.url,
        token: github.token,
        ...options.github,
      },
      inputs: {
        'api-key': emulator.key,
        'base-url': emulator.url,
        'project-id': project.id,
        ...options.inputs,
      },
    });
  };
  return Object.assign(site, {
    emulator,
    github,
    project,
    commits,
    page: page.url,
    start,
    run: async (
      commit: string,
      inputs: Record<string, string> = {},
      options: Partial<RunOptions> = {},
    ) => (await start(commit, { launch: shareProcess, inputs, ...options })).done,
    deployed: () => project.deployments.map(({ commit }) => commit),
    states: () => github.deployments(repository).map(({ statuses }) => statuses.at(-1)?.state),
    asked: () => {
      const asked = github.journal.slice(seen).map(({ operationId }) => String(operationId));
      seen = github.journal.length;
      return asked;
    },
    [Symbol.asyncDispose]: async () => {
      page[Symbol.dispose]();
      await emulator.close();
      await github[Symbol.asyncDispose]();
    },
  });
}

/** How the run of a record ended, if it did: `going` may still be in progress. */
export type PastEnd = 'good' | 'failed' | 'skipped' | 'going';

const statesAfter = { good: 'success', failed: 'failure', skipped: 'inactive' } as const;

/** Adds releases of the place, oldest first, each after the one before it; the last good one is of the first commit. */
export function addReleases(
  { emulator, github, project, commits }: HistoryWorld,
  past: readonly PastEnd[],
): void {
  const signer = recordSignerOf(deriveLedgerKeys(emulator.key).record, repository);
  const key = `production/${project.id}`;
  const last = past.lastIndexOf('good');
  const commitOf = (index: number): Sha =>
    index === last ? sha(commits.first) : sha((index + 1).toString(16).padStart(40, '0'));
  let before = 0;
  for (const [index, how] of past.entries()) {
    const commit = commitOf(index);
    const parents = index === 0 ? [] : [commitOf(index - 1)];
    github.commits.set(`${repository}@${commit}`, { parents });
    const at = { commit, environment: 'production', key, isPreview: false, mark: `mark ${index}` };
    const until = Date.now() + (how === 'going' ? 3_600_000 : -3_600_000);
    const record = { ...at, until, runId: String(index + 1) };
    const payload = {
      maker: 'site-deploy-action',
      key,
      mark: at.mark,
      record: signer.sign(record),
    };
    const made = github.addDeployment(repository, {
      sha: commit,
      environment: 'production',
      task: taskOf(key),
      payload,
    });
    const end: ReleaseEnd =
      how === 'good'
        ? { kind: 'good', projectId: project.id, isChecked: true, before }
        : { kind: 'undeployed', before };
    const logUrl = `https://ci.example.com/${signer.signEnd(made.id, record, end)}`;
    const { statuses } = github.addDeployment(`${repository}-other`, { sha: commit }, [
      { state: 'in_progress' },
      ...(how === 'going' ? [] : [{ state: statesAfter[how], logUrl }]),
      ...(how === 'good' && index < last ? [{ state: 'inactive' } as const] : []),
    ]);
    made.statuses.push(...statuses.map((one) => ({ ...one, deployment_url: made.url })));
    if (how === 'good') before = made.id;
  }
}

/** Resolves once the record of a commit that comes next is there. */
export function recorded({ github }: HistoryWorld, commit: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  github.on('repos/create-deployment-status', ({ path }) => {
    const made = github.deployments(repository).findLast(({ sha }) => sha === commit);
    if (path.includes(`/${made?.id}/`)) resolve();
  });
  return promise;
}

/** A run that is under way until the test lets it end. */
export interface HeldRun extends AsyncDisposable {
  end(): Promise<ActionResult>;
}

/** Runs a commit, and returns once its record is there and its deployment is requested, which has no effect yet. */
export async function runHeld(
  world: HistoryWorld,
  commit: string,
  inputs: Record<string, string> = {},
): Promise<HeldRun> {
  const { emulator } = world;
  const { promise, resolve } = Promise.withResolvers<void>();
  const until = () => promise;
  const fault = emulator.faults.add({ operation: 'createDeployment', kind: 'hold', until });
  const requested = emulator.journal.waitFor(() => fault.fired === 1);
  const isRecorded = recorded(world, commit);
  const done = world.run(commit, inputs);
  await Promise.all([requested, isRecorded]);
  const end = async () => {
    resolve();
    return await done;
  };
  return { end, [Symbol.asyncDispose]: async () => void (await end()) };
}

/** What each GitHub Deployment says of itself to who has the key: how it ended, oldest first. */
export function endsOf({ github, emulator }: HistoryWorld) {
  const signer = recordSignerOf(deriveLedgerKeys(emulator.key).record, repository);
  return github.deployments(repository).map(({ id, sha, environment, payload, statuses }) => {
    const record = signer.verify({ sha, environment, payload: asObject(payload) ?? {} });
    if (record === undefined) throw new Error('a record without our signature');
    const told = statuses.flatMap(
      ({ log_url: url = '' }) => signer.verifyEnd(id, record, url) ?? [],
    );
    return [...new Set(told.map(({ kind }) => kind))].join(' ');
  });
}
