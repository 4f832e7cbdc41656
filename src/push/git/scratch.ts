import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Sanitize, safe } from '../../kernel/text/safe.ts';
import type { Distance, Force } from '../intent.ts';
import { type ErrorOutput, faultOf, readErrorOutput } from '../model/fault.ts';
import { GitFailure, isNewEnough, readGitVersion } from '../model/git-failure.ts';
import type { RemoteAddress } from '../model/git-url.ts';
import type { GitStep } from '../result.ts';
import {
  type Command,
  localEnvironment,
  notWritten,
  type ProcessEnd,
  type Remote,
  remoteEnvironment,
  runGit,
  type Settings,
  type Variables,
} from './process.ts';

/** A commit to push, and where to. */
export interface PushRequest {
  /** 40 lowercase hex digits. */
  readonly commit: string;
  /** Valid by `isBranchName`; undefined: `main`, if it exists or the repository has no other branch. */
  readonly branch: string | undefined;
  readonly force: Force;
  /** The project's repository. A password in its address takes precedence over `token`. */
  readonly project: {
    readonly address: RemoteAddress;
    /** Empty: none is sent. */
    readonly token: string;
  };
  /** The workflow's repository. */
  readonly github: {
    /** `GITHUB_SERVER_URL`. */
    readonly serverUrl: string;
    /** `GITHUB_REPOSITORY`: `owner/name`. */
    readonly repository: string;
    /** Empty: none is sent. */
    readonly token: string;
    /** Absent: that of GitHub's tokens. */
    readonly username?: string;
    /** Its path as the clone URL has it: without `.git`, GitLab would answer with a redirect. Absent: `repository`. */
    readonly path?: string;
  };
  /** `GITHUB_WORKSPACE`; empty: there is none. */
  readonly workspace: string;
  /** Whether a project may be adopted, by everything that its repository doesn't show. Absent: it may not. */
  readonly mayAdopt?: (() => Promise<boolean>) | undefined;
  /** A folder for temporary files: `RUNNER_TEMP`. */
  readonly temp: string;
}

/** What work in a scratch repository needs from outside. */
export interface Tools {
  /** Ends the work and kills git. Its reason is thrown. */
  readonly signal: AbortSignal;
  readonly clock: { sleep(milliseconds: number, signal: AbortSignal): Promise<void> };
  /** A number from 0 to 1. */
  readonly random: () => number;
  /** Sanitizes text from outside. */
  readonly clean: Sanitize;
  /** Called when a step starts. */
  report(step: GitStep): void;
  /** Our own environment, of which git inherits a small part. */
  readonly environment: Variables;
}

/** The result of a git command for a remote. */
export interface RemoteResult extends ProcessEnd, ErrorOutput {}

/** A git command for a remote. */
export interface RemoteCommand {
  readonly args: readonly string[];
  readonly settings?: Settings;
  readonly input?: string;
}

/**
 * A temporary bare repository, empty at first, without hooks, working tree or settings from outside. Disposing of it
 * removes its folder.
 */
export class Scratch implements AsyncDisposable {
  readonly #tools: Tools;
  readonly #folder: string;
  readonly #repository: string;

  private constructor(tools: Tools, folder: string) {
    this.#tools = tools;
    this.#folder = folder;
    this.#repository = join(folder, 'repository.git');
  }

  /**
   * Creates the folder, and the repository in it.
   *
   * @param temp the folder for temporary files: `RUNNER_TEMP`
   * @throws a {@link GitFailure} if git is missing or too old
   */
  static async create(tools: Tools, temp: string): Promise<Scratch> {
    const folder = await mkdtemp(join(temp, 'site-deploy-git-')).catch(
      (error: NodeJS.ErrnoException) => {
        const detail = safe`can't create a folder in ${tools.clean(temp)} (${tools.clean(error.code ?? error.name)})`;
        throw new GitFailure({ kind: 'local', detail });
      },
    );
    const scratch = new Scratch(tools, folder);
    try {
      const { status, output } = await scratch.#run(['version']);
      if (status !== 0) {
        throw new GitFailure({ kind: 'local', detail: safe`\`git version\` fails` });
      }
      const version = readGitVersion(output);
      if (version === null || !isNewEnough(version)) {
        throw new GitFailure({ kind: 'old-git', version: tools.clean(version ?? output) });
      }
      const shape = ['--bare', '--template=', '--object-format=sha1'];
      await scratch.#runLocal(['init', '--quiet', ...shape]);
      return scratch;
    } catch (error) {
      await scratch[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Lets git also find objects in another repository's objects folder; it reads nothing else there. */
  async borrow(objects: string): Promise<void> {
    await writeFile(this.#alternates, `${objects}\n`).catch((error: unknown) => {
      throw notWritten(error);
    });
  }

  async stopBorrowing(): Promise<void> {
    await rm(this.#alternates, { force: true });
  }

  /**
   * Copies a commit and its ancestors, without their files, from an untrusted objects folder. Indexing the copy computes
   * the ids again from the contents, which git doesn't do when it only walks a history.
   *
   * @returns whether all of them are now in this repository
   */
  async copyHistory(objects: string, commit: string): Promise<boolean> {
    const pack = join(this.#folder, 'borrowed.pack');
    try {
      const isCopied =
        (await this.#packHistory(objects, commit, pack)) && (await this.#indexPack(pack));
      return isCopied && (await this.hasHistory(commit));
    } finally {
      await rm(pack, { force: true });
    }
  }

  async #packHistory(objects: string, commit: string, pack: string): Promise<boolean> {
    await this.borrow(objects);
    try {
      const into = createWriteStream(pack);
      const args = ['pack-objects', '--quiet', '--revs', '--filter=tree:0', '--stdout'];
      return (await this.#run(args, { input: `${commit}\n`, into })).status === 0;
    } finally {
      await this.stopBorrowing();
    }
  }

  async #indexPack(pack: string): Promise<boolean> {
    const input = createReadStream(pack);
    const { status, errors } = await this.#run(['index-pack', '--stdin'], { input });
    if (status === 0) return true;
    await this.#removeUnfinished();
    if (faultOf(readErrorOutput(errors)) !== 'no-room') return false;
    throw new GitFailure({ kind: 'project', fault: 'no-room', detail: safe`` });
  }

  get #alternates(): string {
    return join(this.#repository, 'objects', 'info', 'alternates');
  }

  /** Whether a commit is here with all its ancestors; their files are not checked. */
  async hasHistory(commit: string): Promise<boolean> {
    return (await this.#run(['rev-list', '--count', commit])).status === 0;
  }

  /** Whether the list of a commit's files is here. */
  async hasFiles(commit: string): Promise<boolean> {
    return (await this.#run(['cat-file', '-e', `${commit}^{tree}`])).status === 0;
  }

  /** The only commit that begins with these digits, or that a tag object names which does; undefined if there is none. */
  async findCommit(digits: string): Promise<string | undefined> {
    const name = ['--verify', '--quiet', '--end-of-options', `${digits}^{commit}`];
    const { status, output } = await this.#run(['rev-parse', ...name]);
    return status === 0 ? output.trim() : undefined;
  }

  /** Whether a commit is a head, or one of its ancestors. */
  async isAncestor(commit: string, head: string): Promise<boolean> {
    return (await this.#run(['merge-base', '--is-ancestor', commit, head])).status === 0;
  }

  /** The distance between a branch's head and a commit; null if the history of one of them is not here. */
  async distance(head: string, commit: string): Promise<Distance | null> {
    const sides = ['--left-right', '--count', `${head}...${commit}`];
    const { status, output } = await this.#run(['rev-list', ...sides]);
    const [, lost, gained] = /^(\d+)\t(\d+)$/.exec(output.trim()) ?? [];
    return status === 0 ? { lost: Number(lost), gained: Number(gained) } : null;
  }

  /** The newest commit that a branch has and a commit lacks, with the first line of its message, not sanitized. */
  async newestLost(head: string, commit: string): Promise<{ sha: string; subject: string }> {
    const shape = ['--max-count=1', '--no-show-signature', '--no-color', '--format=%H %s'];
    const output = await this.#runLocal(['log', ...shape, head, `^${commit}`]);
    const [, sha = '', subject = ''] = /^([0-9a-f]{40}) ?(.*)$/s.exec(output) ?? [];
    return { sha, subject };
  }

  /** The commits that a branch lacks, and their parents that it has. */
  async missing(head: string, commit: string): Promise<string[]> {
    const output = await this.#runLocal(['rev-list', '--boundary', `${head}..${commit}`]);
    return output.split('\n').map((line) => line.replace(/^-/, ''));
  }

  /** A commit object's text. */
  textOf(commit: string): Promise<string> {
    return this.#runLocal(['cat-file', 'commit', commit]);
  }

  /** Removes the marks of a shallow fetch, once the rest of the history is here. */
  async forgetCuts(): Promise<void> {
    await rm(join(this.#repository, 'shallow'), { force: true });
  }

  /** Runs git without network access. @throws a {@link GitFailure} if its exit status is not 0 */
  async #runLocal(args: readonly string[]): Promise<string> {
    const { status, output, errors } = await this.#run(args);
    if (status === 0) return output.trimEnd();
    const { detail } = readErrorOutput(errors);
    throw new GitFailure({ kind: 'local', detail: this.#tools.clean(detail) });
  }

  /** Runs git with access to one remote, once. */
  async runRemote(
    remote: Remote,
    { args, settings = {}, input = '' }: RemoteCommand,
  ): Promise<RemoteResult> {
    const env = remoteEnvironment(this.#tools.environment, this.#folder, remote, settings);
    const end = await this.#run(args, { env, input, isBounded: remote.name === 'project' });
    if (end.status !== 0) await this.#removeUnfinished();
    return { ...end, ...readErrorOutput(end.errors, remote.protocol === 'ssh') };
  }

  /** Removes the unfinished packs of a failed attempt, whose size the remote decides. */
  async #removeUnfinished(): Promise<void> {
    const packs = join(this.#repository, 'objects', 'pack');
    const names = await readdir(packs).catch(() => []);
    // Git's names for files that it has not finished writing.
    const unfinished = names.filter((name) => name.startsWith('tmp_'));
    await Promise.all(unfinished.map((name) => rm(join(packs, name), { force: true })));
  }

  async #run(args: readonly string[], options: Partial<Command> = {}): Promise<ProcessEnd> {
    const { signal, environment } = this.#tools;
    const folder = this.#folder;
    const inRepository = [`--git-dir=${this.#repository}`, ...args];
    const env = localEnvironment(environment, folder);
    return await runGit({ env, ...options, args: inRepository, folder, signal });
  }

  /** Removes the folder. A failure is reported, and does not change the result of the run. */
  async [Symbol.asyncDispose](): Promise<void> {
    const folder = this.#folder;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() =>
      this.#tools.report({ step: 'left-behind', folder: this.#tools.clean(folder) }),
    );
  }
}
