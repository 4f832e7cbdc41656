import { cp, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { numberOf } from '../../emulator/github/index.ts';
import type { DialectOptions } from '../../emulator/index.ts';
import type { RunEvent } from '../../emulator/runner.ts';
import { type GitWorld, repository, startGitWorld } from '../git/support.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { root } from '../support/places.ts';
import { type Play, type PlayedStep, playExample } from '../support/play-example.ts';

/** A repository on GitHub, a service, and what somebody who copies an example has filled in. */
export interface ExampleWorld extends GitWorld {
  readonly secrets: Readonly<Record<string, string>>;
  readonly vars: Readonly<Record<string, string>>;
  /** Plays an example for an event; each time is a run of its own. */
  play(file: string, event: RunEvent, options?: Partial<Play>): Promise<PlayedStep[]>;
  /** The one step of an example that has only one. */
  playOne(file: string, event: RunEvent, options?: Partial<Play>): Promise<PlayedStep>;
}

/** Starts a world in which examples can be played. */
export async function startExampleWorld(dialect: DialectOptions = {}): Promise<ExampleWorld> {
  const world = await startGitWorld(dialect);
  const { emulator, github, project } = world;
  const secrets = {
    SITE_API_KEY: emulator.key,
    SITE_GIT_TOKEN: emulator.gitToken,
    STRIPE_KEY: 'fake-stripe-key',
    STRIPE_TEST_KEY: 'fake-stripe-test-key',
    EXAMPLE_KEY: 'fake-example-key',
    EXAMPLE_TEST_KEY: 'fake-example-test-key',
    SHOP_STRIPE_KEY: 'fake-stripe-key-of-the-shop',
    PRODUCTION_DATABASE_URL: 'fake-database-url',
    ANALYTICS_TOKEN: 'fake-analytics-token',
    DATABASE_URL: 'fake-database-url',
  };
  const vars = {
    SITE_BASE_URL: emulator.url,
    SITE_GIT_URL: `${emulator.url}/git/{projectId}.git`,
    SITE_PROJECT_ID: project.id,
    SITE_QUEUE_PROJECT_ID: project.id,
    SHOP_PROJECT_ID: project.id,
    SITE_PREVIEW_PROJECTS: project.id,
    SITE_PREVIEW_DOMAIN: 'pr-{number}.preview.example.com',
    SITE_PROJECT_IDS: JSON.stringify([project.id]),
    SITE_URL: project.siteUrl,
    SITE_SERVICE: '',
  };
  let runs = 0;
  const play: ExampleWorld['play'] = async (file, event, options = {}) => {
    runs += 1;
    const { url, token } = github;
    const ref = 'refs/heads/main';
    const at = { repository, ref, runId: String(runs), serverUrl: url, apiUrl: url, token };
    const given = {
      event,
      secrets,
      ...options,
      vars: { ...vars, ...options.vars },
      github: { ...at, ...options.github },
    };
    return await playExample(file, given);
  };
  const playOne: ExampleWorld['playOne'] = async (file, event, options) => {
    const [step, ...others] = await play(file, event, options);
    if (step === undefined || others.length > 0) throw new Error(`${file} has not one step`);
    return step;
  };
  return { ...world, secrets, vars, play, playOne };
}

/** A checkout with the files that the examples read, copied as their first lines say. */
export async function checkOutFiles(world: ExampleWorld): Promise<string> {
  const workspace = await mkdtemp(join(world.folder, 'site-'));
  for (const file of ['site.yml', 'checks.yml']) {
    await cp(join(root, 'examples', file), join(workspace, '.github', file));
  }
  return workspace;
}

/** A pull request of the repository, with a commit of its own. */
export interface OpenPull {
  sha: string;
  /** An event of it. */
  event(action: 'opened' | 'synchronize' | 'closed'): RunEvent;
  close(): void;
}

/** Opens pull request 7 from a branch of a repository. */
export async function openPull(world: ExampleWorld, from: string): Promise<OpenPull> {
  const { dev, github, push } = world;
  const base = await dev.git('rev-parse', 'HEAD');
  await dev.git('checkout', '--quiet', '-B', 'topic');
  const sha = await push();
  const head = { ref: 'topic', sha, repo: { full_name: from, fork: from !== repository } };
  const pull = { number: 7, head, base: { ref: 'main', sha: base } };
  const set = (state: 'open' | 'closed') =>
    github.pullRequests.set(`${repository}#7`, { ...pull, state });
  set('open');
  const event: OpenPull['event'] = (action) => ({
    name: 'pull_request',
    payload: adjust(examplePayload('pull_request', action), {
      number: 7,
      'pull_request.number': 7,
      'pull_request.head.sha': sha,
      'pull_request.head.ref': 'topic',
      'pull_request.head.repo.full_name': from,
      'pull_request.base.repo.full_name': repository,
    }),
  });
  return { sha, event, close: () => set('closed') };
}

/** The end of a run of the checks, as of a fork's: after a push to its branch, or after the close. */
export const checksOf = (
  fork: string,
  sha: string,
  conclusion: 'success' | 'failure' | 'skipped' = 'success',
): RunEvent => ({
  name: 'workflow_run',
  payload: adjust(examplePayload('workflow_run', 'completed'), {
    'workflow_run.event': 'pull_request',
    'workflow_run.conclusion': conclusion,
    'workflow_run.head_sha': sha,
    'workflow_run.head_branch': 'topic',
    'workflow_run.head_repository.id': numberOf(fork),
    'workflow_run.head_repository.full_name': fork,
    'workflow_run.repository.id': numberOf(repository),
    'workflow_run.pull_requests': [],
  }),
});

/** The commits that were deployed to the world's first project, in order. */
export const deployedBy = ({ project }: GitWorld) =>
  project.deployments.map(({ commit }) => commit);
