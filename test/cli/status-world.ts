import { type GitHubStandIn, startGitHub } from '../../emulator/github/index.ts';
import {
  type DialectOptions,
  type EmulatedProject,
  type Emulator,
  startEmulator,
} from '../../emulator/index.ts';
import { type Sha, sha } from '../../src/contract/commit.ts';
import { taskOf } from '../../src/github/deployments.ts';
import { type ReleaseEnd, recordSignerOf } from '../../src/github/model/record-signer.ts';
import { deriveLedgerKeys } from '../../src/ledger/model/keys.ts';
import { type Options, type Ran, siteDeploy } from './site-deploy.ts';

export const repository = 'octo-org/octo-site';

/** The n-th of some commits. */
export const commitOf = (index: number): Sha => sha(index.toString(16).padStart(40, '0'));

/** A release to record. */
interface Release {
  commit: Sha;
  runId: string;
  /** The secret with which it is signed. */
  secret: string;
  /** Absent: a release of production. */
  pullRequest?: number;
  /** The second part of its key. Default: the project. */
  of?: string;
  environment?: string;
  /** Absent: its run has recorded none. */
  end?: ReleaseEnd;
  /** True: its run may still be in progress. */
  isGoing?: boolean;
  /** The last state, after that of the end. */
  state?: 'inactive';
}

/** A service with a project, a GitHub, and the command. */
export interface StatusWorld extends AsyncDisposable {
  emulator: Emulator;
  github: GitHubStandIn;
  project: EmulatedProject;
  /** The variables of the command. */
  env: Readonly<Record<string, string>>;
  /** Records a release as its run would. */
  record(release: Partial<Release>): void;
  /** Runs `status` with the records of GitHub. */
  run(args?: readonly string[], options?: Options): Promise<Ran>;
  /** The result that it prints, which is held against its schema. */
  result(args?: readonly string[], options?: Options): Promise<Record<string, unknown>>;
}

/** Starts all of it. */
export async function startStatus(dialect: DialectOptions = {}): Promise<StatusWorld> {
  const emulator = await startEmulator({ dialect });
  const github = await startGitHub();
  const [project] = emulator.world.createProjects(1);
  if (project === undefined) throw new Error('no project was made');
  const env = {
    SITE_API_KEY: emulator.key,
    SITE_BASE_URL: emulator.url,
    SITE_PROJECT_ID: project.id,
    SITE_GITHUB_TOKEN: github.token,
    SITE_GITHUB_API_URL: github.url,
  };
  const run: StatusWorld['run'] = (args = [], options = {}) =>
    siteDeploy(['status', '--repository', repository, ...args], {
      ...options,
      env: { ...env, ...options.env },
    });
  return {
    emulator,
    github,
    project,
    env,
    run,
    result: async (args = [], options = {}) =>
      JSON.parse((await run([...args, '--json'], options)).stdout),
    record: (given) => record(github, project.id, { ...releaseOf(emulator.key), ...given }),
    [Symbol.asyncDispose]: async () => {
      await emulator.close();
      await github[Symbol.asyncDispose]();
    },
  };
}

const releaseOf = (secret: string): Release => ({ commit: commitOf(1), runId: '1', secret });

/** A good end at a project. */
export const good = (projectId: string): ReleaseEnd => ({
  kind: 'good',
  projectId,
  isChecked: false,
  before: 0,
});

function record(github: GitHubStandIn, projectId: string, release: Release): void {
  const { commit, runId, secret, pullRequest, of = projectId, end, isGoing, state } = release;
  const signer = recordSignerOf(deriveLedgerKeys(secret).record, repository);
  const isPreview = pullRequest !== undefined;
  const name = isPreview ? `pr-${pullRequest}` : 'production';
  const { environment = isPreview ? 'preview' : name } = release;
  const key = `${name}/${of}`;
  const mark = `mark of ${runId}`;
  const until = Date.now() + (isGoing ? 3_600_000 : -3_600_000);
  const made = { commit, environment, key, isPreview, mark, until, runId, pullRequest };
  const payload = { maker: 'site-deploy-action', key, mark, record: signer.sign(made) };
  const place = { sha: commit, environment, task: taskOf(key), payload };
  const { id, url } = github.addDeployment(repository, place, [{ state: 'in_progress' }]);
  const shown = github.deployments(repository).find((one) => one.id === id);
  const logUrl = end && `https://ci.example.com/${signer.signEnd(id, made, end)}`;
  const isGood = end?.kind === 'good';
  const { statuses } = github.addDeployment('octo-org/elsewhere', place, [
    ...(end ? [{ state: isGood ? 'success' : 'failure', logUrl: logUrl ?? '' } as const] : []),
    ...(state ? [{ state }] : []),
  ]);
  shown?.statuses.push(...statuses.map((one) => ({ ...one, deployment_url: url })));
}
