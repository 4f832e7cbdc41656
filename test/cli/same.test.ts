import { cpSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { git } from '../../emulator/git/git.ts';
import {
  type DialectOptions,
  type EmulatedProject,
  type Emulator,
  startEmulator,
} from '../../emulator/index.ts';
import { type RunEvent, startAction } from '../../emulator/runner.ts';
import { type ActionName, actions } from '../../src/inputs.ts';
import { createScrub } from '../record/scrub.ts';
import { adjust, examplePayload } from '../support/payloads.ts';
import { unpacked } from '../support/places.ts';
import { readResult } from '../support/results.ts';
import { shareProcess } from '../support/shared-process.ts';
import { siteDeploy } from './site-deploy.ts';

/** What a case has of its world. */
interface Facts {
  emulator: Emulator;
  project: EmulatedProject;
  /** The commit that is checked out. */
  commit: string;
}

/** One run that the action and the command do alike. */
interface Case {
  what: string;
  command: ActionName;
  inputs?: (facts: Facts) => Record<string, string>;
  env?: Record<string, string>;
  dialect?: DialectOptions;
  /** The project's repository does not have the commit yet. */
  isNew?: boolean;
  /** What is in the world before. */
  before?: (facts: Facts) => void;
  /** The run is for a pull request, or its end. */
  pullRequest?: 'open' | 'closed' | 'fork';
  outcome: string;
  status: number;
}

const siteFile = `environment:
  FROM_FILE:
    value: plain
    kind: plain
connected-domains:
  www.example.com:
    project: self
`;

const previewDomain = 'pr-{number}.preview.example.com';
const variables = { env: 'A=1\nB=two words' };

const cases: readonly Case[] = [
  { what: 'deploys', command: 'deploy', outcome: 'succeeded', status: 0 },
  {
    what: 'pushes the commit, syncs variables, deploys, and checks the site',
    command: 'deploy',
    inputs: ({ emulator, project }) => ({
      'git-url': `${emulator.url}/git/{projectId}.git`,
      'git-token': emulator.gitToken,
      'env-from': 'API_TOKEN',
      'verify-url': project.siteUrl,
      config: 'site.yml',
    }),
    env: { API_TOKEN: 'not-a-real-token-0123456789' },
    isNew: true,
    outcome: 'succeeded',
    status: 0,
  },
  {
    what: 'reports a build that fails',
    command: 'deploy',
    dialect: { deploymentEnds: 'failure' },
    outcome: 'failed',
    status: 1,
  },
  {
    what: 'plans a deployment',
    command: 'deploy',
    inputs: () => ({ mode: 'plan', ...variables }),
    outcome: 'planned',
    status: 0,
  },
  {
    what: 'explains a deployment without a key',
    command: 'deploy',
    inputs: () => ({ mode: 'explain', 'api-key': '', ...variables }),
    outcome: 'planned',
    status: 0,
  },
  {
    what: 'only syncs',
    command: 'deploy',
    inputs: () => ({ deploy: 'false', ...variables }),
    outcome: 'synced',
    status: 0,
  },
  {
    what: 'lists every mistake',
    command: 'deploy',
    inputs: () => ({ 'project-id': 'site', wait: 'long', env: 'not a line', config: 'none.yml' }),
    outcome: 'failed',
    status: 2,
  },
  {
    what: 'deploys a preview of a pull request',
    command: 'deploy',
    inputs: () => ({ 'preview-domain': previewDomain }),
    pullRequest: 'open',
    outcome: 'succeeded',
    status: 0,
  },
  {
    what: 'refuses to overwrite production for a pull request',
    command: 'deploy',
    before: ({ emulator, project }) =>
      void emulator.world.connectDomain('www.example.com', project.id),
    pullRequest: 'open',
    outcome: 'failed',
    status: 1,
  },
  {
    what: 'ends the preview of a closed pull request',
    command: 'deploy',
    inputs: () => ({ 'preview-domain': previewDomain }),
    before: ({ emulator, project }) =>
      void emulator.world.connectDomain('pr-7.preview.example.com', project.id),
    pullRequest: 'closed',
    outcome: 'cleaned-up',
    status: 0,
  },
  {
    what: 'skips a fork without a key',
    command: 'deploy',
    inputs: () => ({ 'api-key': '' }),
    pullRequest: 'fork',
    outcome: 'skipped',
    status: 0,
  },
  {
    what: 'gives a fork no variable that its site file names',
    command: 'env-sync',
    inputs: () => ({ config: 'foreign.yml' }),
    env: { API_TOKEN: 'not-a-real-token-0123456789' },
    pullRequest: 'fork',
    outcome: 'failed',
    status: 2,
  },
  {
    what: 'syncs variables',
    command: 'env-sync',
    inputs: () => ({ ...variables, config: 'site.yml' }),
    outcome: 'synced',
    status: 0,
  },
  {
    what: 'fails on drift',
    command: 'env-sync',
    inputs: () => ({ ...variables, mode: 'plan', 'fail-on-drift': 'true' }),
    outcome: 'planned',
    status: 1,
  },
  {
    what: 'plans domains',
    command: 'domains',
    inputs: () => ({ config: 'site.yml', mode: 'plan' }),
    outcome: 'planned',
    status: 0,
  },
  {
    what: 'connects domains',
    command: 'domains',
    inputs: () => ({ config: 'site.yml' }),
    dialect: { verifyMs: 600_000 },
    outcome: 'synced',
    status: 0,
  },
  {
    what: 'checks names',
    command: 'domains',
    inputs: () => ({ config: '', check: 'a-new-site.com\nanother.com' }),
    outcome: 'synced',
    status: 0,
  },
  {
    what: 'sends a message',
    command: 'message',
    inputs: () => ({ content: 'Make the headline blue.' }),
    outcome: 'succeeded',
    status: 0,
  },
  {
    what: 'does not send the message of a stranger',
    command: 'message',
    inputs: () => ({ content: 'Make the headline blue.' }),
    pullRequest: 'fork',
    outcome: 'skipped',
    status: 0,
  },
  { what: 'lists projects', command: 'projects', outcome: 'succeeded', status: 0 },
  {
    what: 'creates a project',
    command: 'projects',
    inputs: () => ({ create: 'true', name: 'New' }),
    outcome: 'succeeded',
    status: 0,
  },
];

/** What a run left, with what is new in each world replaced. */
interface Trace {
  outcome: unknown;
  fails: boolean;
  /** As JSON, without numbers that depend on the time. */
  result: string;
  requests: string[];
  /** How many requests changed something. */
  writes: number;
}

/** Leaves out the words of an error, of which each platform has its own, and what only the command says to do next. */
const withoutWords = (name: string, value: unknown) =>
  ['message', 'next'].includes(name) ? undefined : value;

/** A request that only follows a deployment, a turn or a domain to its end. */
const following = /^GET \S*\/(deployments\/<id>|connected-domains\/[^/]+|events)/;

const author = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost'];
const shared = mkdtempDisposableSync(join(tmpdir(), 'checkout-'));
afterAll(() => shared.remove());
let checkingOut: Promise<string> | undefined;

/** A checkout of the commit that each new project has, from which each run gets a copy. */
function checkout(): Promise<string> {
  checkingOut ??= (async () => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    const folder = join(shared.path, 'site');
    await git(['clone', '--quiet', '--branch=main', await project.gitFolder(), folder]);
    await git(['-C', folder, 'remote', 'set-url', 'origin', 'https://example.com/octo/site.git']);
    await git(['-C', folder, 'checkout', '--quiet', '-b', 'topic']);
    writeFileSync(join(folder, 'site.yml'), siteFile);
    writeFileSync(join(folder, 'foreign.yml'), 'environment:\n  KEY:\n    from: API_TOKEN\n');
    return folder;
  })();
  return checkingOut;
}

/** Runs a case in a world of its own. */
async function play(
  one: Case,
  run: (
    facts: Facts,
    folder: string,
    inputs: Record<string, string>,
  ) => Promise<{ result: Record<string, unknown>; fails: boolean }>,
): Promise<Trace> {
  await using emulator = await startEmulator({ dialect: { buildMs: 0, ...one.dialect } });
  const project = await emulator.world.createProject('site');
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'same-'));
  const folder = join(temporary.path, 'checkout');
  cpSync(await checkout(), folder, { recursive: true });
  if (one.isNew) {
    await git(['-C', folder, ...author, 'commit', '--quiet', '--allow-empty', '--message=Change']);
  }
  const commit = one.isNew ? await git(['-C', folder, 'rev-parse', 'HEAD']) : await project.head();
  const facts = { emulator, project, commit };
  one.before?.(facts);
  const all = {
    'api-key': emulator.key,
    'base-url': emulator.url,
    'project-id': project.id,
    'env-ledger': 'off',
    ...one.inputs?.(facts),
  };
  const known = actions[one.command].inputs;
  const inputs = Object.fromEntries(Object.entries(all).filter(([name]) => name in known));
  const { result, fails } = await run(facts, folder, inputs);
  const names = new Map([
    [project.id, 'project'],
    [commit, 'commit'],
    [emulator.url, 'service'],
  ]);
  const scrub = createScrub(names);
  const { 'duration-ms': duration, requests: sent, ...others } = result;
  expect([duration, sent]).toEqual([expect.any(Number), expect.any(Number)]);
  const requests = emulator.journal.entries.map(({ method, path, body }) =>
    scrub(`${method} ${path} ${JSON.stringify(body)}`),
  );
  return {
    outcome: result['outcome'],
    fails,
    result: scrub(JSON.stringify(others, withoutWords)),
    // Those of one moment may come in any order; how a deployment is followed depends on the time.
    requests: [...new Set(requests.filter((line) => !following.test(line)))].toSorted(),
    writes: requests.filter((line) => !line.startsWith('GET ')).length,
  };
}

/** The event of a pull request, as GitHub describes it. */
function eventOf({ pullRequest }: Case, commit: string): RunEvent {
  if (pullRequest === undefined) {
    return { name: 'push', payload: { ref: 'refs/heads/topic', after: commit } };
  }
  const isClosed = pullRequest === 'closed';
  const isFork = pullRequest === 'fork';
  const payload = adjust(examplePayload('pull_request', isClosed ? 'closed' : 'synchronize'), {
    number: 7,
    'pull_request.number': 7,
    'pull_request.state': isClosed ? 'closed' : 'open',
    'pull_request.author_association': isFork ? 'NONE' : 'MEMBER',
    'pull_request.head.sha': commit,
    'pull_request.head.ref': 'topic',
    'pull_request.head.repo.full_name': isFork ? 'mallory/site' : 'octo/site',
    'pull_request.base.repo.full_name': 'octo/site',
  });
  return { name: 'pull_request', payload };
}

/** Inputs that are GitHub's alone, which the action is given so that it does what the command does. */
const withoutGitHub = { comment: 'false', 'github-deployment': 'false', 'github-token': '' };

const byAction = (one: Case) =>
  play(one, async ({ commit }, workspace, inputs) => {
    const known = actions[one.command].inputs;
    const more = Object.entries(withoutGitHub).filter(([name]) => name in known);
    const running = startAction({
      action: join(unpacked, one.command === 'deploy' ? '.' : one.command),
      launch: shareProcess,
      workspace,
      event: eventOf(one, commit),
      inputs: { ...Object.fromEntries(more), ...inputs },
      env: one.env ?? {},
    });
    const { outputs, conclusion } = await running.done;
    return { result: readResult(outputs['result'] ?? ''), fails: conclusion !== 'success' };
  });

/** What GitLab tells a job of a merge request. */
function gitLab({ pullRequest }: Case, commit: string): Record<string, string> {
  const common = {
    GITLAB_CI: 'true',
    CI: 'true',
    CI_COMMIT_SHA: commit,
    CI_COMMIT_REF_NAME: 'topic',
    CI_PROJECT_PATH: 'octo/site',
    CI_PROJECT_URL: 'https://example.com/octo/site',
    CI_REPOSITORY_URL: 'https://gitlab-ci-token:fake-job-token@example.com/octo/site.git',
    CI_PIPELINE_ID: '100',
    CI_JOB_ID: '200',
    CI_JOB_URL: 'https://example.com/octo/site/-/jobs/200',
  };
  if (pullRequest === undefined) {
    return { ...common, CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: 'topic' };
  }
  return {
    ...common,
    CI_PIPELINE_SOURCE: 'merge_request_event',
    CI_MERGE_REQUEST_ID: '70007',
    CI_MERGE_REQUEST_IID: '7',
    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: 'topic',
    CI_MERGE_REQUEST_PROJECT_ID: '1',
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: pullRequest === 'fork' ? '2' : '1',
    ...(pullRequest === 'closed' && { CI_ENVIRONMENT_ACTION: 'stop' }),
  };
}

const byCommand = (one: Case, expected: number) =>
  play(one, async ({ commit }, folder, inputs) => {
    const secret = Object.fromEntries(
      Object.entries(inputs)
        .filter(([name]) => /^(api-key|git-token)$/.test(name))
        .map(([name, value]) => [`SITE_${name.replaceAll('-', '_').toUpperCase()}`, value]),
    );
    const flags = Object.entries(inputs)
      .filter(([name]) => !/^(api-key|git-token)$/.test(name))
      .map(([name, value]) => `--${name}=${value}`);
    const env = { ...gitLab(one, commit), ...secret, ...one.env };
    const ran = await siteDeploy([one.command, ...flags, '--json'], { env, folder });
    expect(ran.status, ran.stderr).toBe(expected);
    return { result: readResult(ran.stdout), fails: ran.status !== 0 };
  });

describe.concurrent('the action and the command', () => {
  it.each(cases)('$command $what: alike', async (one) => {
    const action = await byAction(one);
    const command = await byCommand(one, one.status);
    expect(command.outcome).toBe(one.outcome);
    expect(command).toEqual(action);
  });
});
