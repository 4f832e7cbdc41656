import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import {
  lstat,
  mkdir,
  mkdtemp,
  mkdtempDisposable,
  readdir,
  readFile,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { writeFiles } from '../../emulator/git/template.ts';
import { type GitHubStandIn, startGitHub } from '../../emulator/github/index.ts';
import {
  type DialectOptions,
  type EmulatedProject,
  type Emulator,
  startEmulator,
} from '../../emulator/index.ts';
import { createRedact, createSanitize } from '../../src/kernel/text/redact.ts';
import { findSource, type ObjectSource } from '../../src/push/git/commit-source.ts';
import { pushByGit } from '../../src/push/git/push.ts';
import { type PushRequest, Scratch, type Tools } from '../../src/push/git/scratch.ts';
import { type RemoteAddress, readRemoteAddress } from '../../src/push/model/git-url.ts';
import type { GitStep, PushResult } from '../../src/push/result.ts';
import { addCommit } from '../support/add-commit.ts';

const run = promisify(execFile);

export const repository = 'octo-org/octo-site';

const person = {
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.invalid',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.invalid',
};

/** Runs git as a person does, in a folder, and gives what it printed. */
export async function git(
  folder: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const settings = {
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    // Its upkeep is two more processes for each commit.
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'maintenance.auto',
    GIT_CONFIG_VALUE_0: 'false',
  };
  const { stdout } = await run('git', ['-C', folder, ...args], {
    env: { ...process.env, ...settings, ...person, ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.trimEnd();
}

/** Somebody's own repository, with a working tree. */
export class Checkout {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  git(...args: string[]): Promise<string> {
    return git(this.folder, args);
  }

  /** Writes files and commits all that changed. @returns the commit */
  async commit(
    files: Readonly<Record<string, string>>,
    message = `Change ${Object.keys(files)}`,
  ): Promise<string> {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(this.folder, name)), { recursive: true });
      await writeFile(join(this.folder, name), content);
    }
    await this.git('add', '--all');
    const empty = ['--allow-empty', '--allow-empty-message'];
    await this.git('commit', '--quiet', ...empty, '--message', message);
    return await this.head();
  }

  /** The commit that is checked out. */
  async head(): Promise<string> {
    return await this.#read(await this.#head());
  }

  /**
   * Pushes HEAD, or another commit, by force to HEAD's branch in a bare repository on this machine: copies the objects and
   * the reference, for which git starts seven processes.
   */
  async pushTo(origin: string, commit?: string): Promise<void> {
    const head = await this.#head();
    if (head === 'HEAD') throw new Error('no branch is checked out');
    const pushed = commit ?? (await this.#read(head));
    cpSync(join(this.folder, '.git', 'objects'), join(origin, 'objects'), {
      recursive: true,
      force: false,
    });
    await mkdir(dirname(join(origin, head)), { recursive: true });
    await writeFile(join(origin, head), `${pushed}\n`);
  }

  /** The file of the branch that is checked out, or `HEAD` if it is none. */
  async #head(): Promise<string> {
    return (await this.#read('HEAD')).replace(/^ref: /, '').replace(/^[0-9a-f]{40,}$/, 'HEAD');
  }

  async #read(file: string): Promise<string> {
    return (await readFile(join(this.folder, '.git', file), 'utf8')).trim();
  }
}

/** What the remote is called in the files of a clone, until it is known. */
const remote = '/the-origin';

/** The files of a folder, by their path in it. */
async function readFiles(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const read = async (path: string) => [relative(folder, path), await readFile(path)] as const;
  return new Map(await Promise.all(paths.map(read)));
}

/** Makes a repository with one commit, and a clone of it; gives both as files. */
async function makeFirst() {
  await using work = await mkdtempDisposable(join(tmpdir(), 'git-first-'));
  const origin = join(work.path, 'origin');
  const dev = new Checkout(join(work.path, 'dev'));
  const init = ['init', '--quiet', '--template=', '--initial-branch=main'];
  await git(work.path, [...init, '--bare', origin]);
  await git(origin, ['config', 'receive.autogc', 'false']);
  await git(work.path, [...init, dev.folder]);
  await dev.git('remote', 'add', 'origin', origin);
  await dev.commit({ 'index.html': '<h1>Octo</h1>' }, 'Begin');
  await dev.git('push', '--quiet', 'origin', 'HEAD');
  await dev.git('remote', 'set-url', 'origin', remote);
  const commit = await dev.git('rev-parse', 'HEAD');
  return { commit, origin: await readFiles(origin), dev: await readFiles(dev.folder) };
}

let making: ReturnType<typeof makeFirst> | undefined;

/**
 * Puts a repository with one commit into a folder, and a clone of it into another. Git makes them once.
 *
 * @returns the commit
 */
async function copyFirst(origin: string, dev: string): Promise<string> {
  making ??= makeFirst();
  const files = await making;
  const config = join('.git', 'config');
  const text = files.dev.get(config)?.toString().replace(remote, origin) ?? '';
  writeFiles(origin, files.origin);
  writeFiles(dev, new Map(files.dev).set(config, Buffer.from(text)));
  // Empty at first, and there in each repository.
  mkdirSync(join(dev, '.git', 'objects', 'pack'));
  return files.commit;
}

/** Adds many commits to `main` at once, which change nothing. */
export async function addCommits({ folder }: Checkout, count: number): Promise<void> {
  const stream = Array.from({ length: count }, (_, index) => {
    const from = index === 0 ? 'from refs/heads/main^0\n' : '';
    const message = `Commit ${index}`;
    const who = `committer Ada <ada@example.invalid> ${1_800_000_000 + index} +0000`;
    return `commit refs/heads/main\n${who}\ndata ${message.length}\n${message}\n${from}\n`;
  });
  const adding = run('git', ['-C', folder, 'fast-import', '--quiet']);
  adding.child.stdin?.end(stream.join(''));
  await adding;
}

/** How a commit is pushed, where a test differs from the usual. */
export interface PushOptions extends Partial<Omit<PushRequest, 'project' | 'github'>> {
  project?: Partial<PushRequest['project']>;
  github?: Partial<PushRequest['github']>;
  environment?: NodeJS.ProcessEnv;
  signal?: AbortSignal;
  /** By default no pause takes any time. */
  clock?: Tools['clock'];
}

/** A developer's repository, GitHub's, a project's, and a runner's folders. */
export interface GitWorld extends AsyncDisposable {
  github: GitHubStandIn;
  emulator: Emulator;
  project: EmulatedProject;
  /** The developer's repository; its `origin` is GitHub's. */
  dev: Checkout;
  /** The commit that both begin with. */
  first: string;
  /** A folder of this test's own. */
  folder: string;
  /** `RUNNER_TEMP`. */
  temp: string;
  /** What was told, in order. */
  steps: GitStep[];
  /** Commits as the developer, and pushes to GitHub. @returns the commit */
  push(files?: Readonly<Record<string, string>>, message?: string): Promise<string>;
  /** Commits to the project's branch as somebody else, of whom the service sees no request. @returns the commit */
  pushToProject(message?: string): Promise<string>;
  /** Clones GitHub's repository as actions/checkout does. @returns the workspace */
  checkOut(...args: string[]): Promise<string>;
  /** Copies the developer's repository, which takes no process of git. @returns the workspace */
  copyDev(): Promise<string>;
  /** Pushes a commit to the project, from GitHub if no workspace is given. */
  pushCommit(commit: string, options?: PushOptions): Promise<PushResult>;
  /** Finds where the commit comes from, without a request. */
  findSource(commit: string, options?: PushOptions): Promise<ObjectSource>;
  /** What is left in `RUNNER_TEMP`. */
  leftovers(): Promise<string[]>;
}

/** The address of a repository that a test knows to be well formed. */
export function address(url: string): RemoteAddress {
  const read = readRemoteAddress(url);
  if ('problem' in read) throw new Error(`${url} ${read.problem}`);
  return read;
}

/**
 * Starts GitHub with one commit in its repository, and a service with one project.
 *
 * @param tokens that GitHub and the project accept; absent: short ones
 */
export async function startGitWorld(
  dialect: DialectOptions = {},
  tokens?: { github: string; project: string },
): Promise<GitWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'git-world-'));
  // Folders of runners on Windows and macOS may have a space in their name.
  const temp = join(folder, 'temporary files');
  const dev = new Checkout(join(folder, 'dev'));
  await mkdir(temp);
  const github = await startGitHub(tokens && { token: tokens.github });
  const emulator = await startEmulator({
    dialect: { buildMs: 0, ...dialect },
    ...(tokens && { gitToken: tokens.project }),
  });
  const project = await emulator.world.createProject();
  const origin = await github.gitFolder(repository);
  const first = await copyFirst(origin, dev.folder);
  const steps: GitStep[] = [];
  const redact = createRedact([emulator.key, emulator.gitToken, github.token]);
  const push: GitWorld['push'] = async (files = { 'index.html': `${Math.random()}` }, message) => {
    const commit = await dev.commit(files, message);
    await dev.pushTo(origin);
    return commit;
  };
  const given = (commit: string, options: PushOptions): [PushRequest, Tools] => {
    const { environment = process.env, signal = new AbortController().signal } = options;
    const { clock = { sleep: () => Promise.resolve() } } = options;
    const { project: target, github: source, ...rest } = options;
    const request: PushRequest = {
      commit,
      branch: undefined,
      force: 'never',
      workspace: '',
      temp,
      ...rest,
      project: {
        address: address(project.gitAddress),
        token: emulator.gitToken,
        ...target,
      },
      github: { serverUrl: github.url, repository, token: github.token, ...source },
    };
    const tools: Tools = {
      signal,
      clock,
      random: () => 0.5,
      clean: createSanitize(redact),
      report: (step) => steps.push(step),
      environment,
    };
    return [request, tools];
  };
  return {
    github,
    emulator,
    project,
    dev,
    first,
    folder,
    temp,
    steps,
    push,
    pushToProject: async (message) => await addCommit(await project.gitFolder(), message),
    checkOut: async (...args) => {
      const workspace = await mkdtemp(join(folder, 'workspace-'));
      await git(workspace, ['clone', '--quiet', ...args, `file://${origin}`, '.']);
      return workspace;
    },
    copyDev: async () => {
      const workspace = await mkdtemp(join(folder, 'workspace-'));
      cpSync(dev.folder, workspace, { recursive: true });
      return workspace;
    },
    pushCommit: (commit, options = {}) => pushByGit(...given(commit, options)),
    findSource: async (commit, options = {}) => {
      const [request, tools] = given(commit, options);
      await using scratch = await Scratch.create(tools, temp);
      return await findSource(scratch, tools, request);
    },
    leftovers: () => readdir(temp),
    [Symbol.asyncDispose]: async () => {
      await github[Symbol.asyncDispose]();
      await emulator.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** All that lies in a folder: names, kinds, sizes, times and contents. */
export async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const described = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const { mode, size, mtimeMs, ctimeMs } = await lstat(path);
    const content = entry.isFile() ? (await readFile(path)).toString('base64') : '';
    return [path, mode, size, mtimeMs, ctimeMs, content].join(' ');
  });
  return (await Promise.all(described)).sort();
}

/** The paths of git's requests to the project so far, with their services: `GET info/refs?service=…`, `POST …`. */
export function projectRequests({ emulator }: GitWorld): string[] {
  return emulator.journal.of('git').map(({ method, path, query }) => {
    const service = query['service'] ?? path.split('/').at(-1) ?? '';
    return `${method} ${service}`;
  });
}

/** The requests of git to GitHub so far. */
export function githubRequests({ github }: GitWorld): string[] {
  return github.journal
    .filter(({ operationId }) => operationId === undefined)
    .map(({ method, path, query }) => `${method} ${query['service'] ?? path.split('/').at(-1)}`);
}
