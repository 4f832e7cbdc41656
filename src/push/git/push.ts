import { type SafeText, safe } from '../../kernel/text/safe.ts';
import {
  branchesIn,
  branchReference,
  type Distance,
  decide,
  defaultBranch,
  isFirstCommit,
  keptBranch,
  otherReferences,
} from '../intent.ts';
import { isPassing } from '../model/fault.ts';
import { GitFailure, type GitTrouble } from '../model/git-failure.ts';
import { readReason } from '../model/rejection.ts';
import { type PushResult, type PushVerdict, readPushReport } from '../result.ts';
import { findSource, type ObjectSource } from './commit-source.ts';
import {
  fetchCommits,
  listReferences,
  pauseAfter,
  projectTrouble,
  readFailure,
  readHead,
  tries,
} from './network.ts';
import type { Remote } from './process.ts';
import { type PushRequest, type RemoteResult, Scratch, type Tools } from './scratch.ts';

/** A push to make, and its effect on the branch. */
interface Push {
  readonly head: string | null;
  readonly forced: boolean;
  /** The number of commits that the branch gains; null if it was not counted. */
  readonly gained: number | null;
  /** The branch that keeps the former head of an adopted project. */
  readonly kept?: {
    readonly branch: string;
    readonly isThere: boolean;
    /** The number of commits that the project's branch loses. */
    readonly lost: number;
  };
  /** The number of commits of the default branch that a new branch lacks. */
  readonly missing?: number;
}

const resultOf = ({ head, forced, kept, missing }: Push): PushResult => ({
  kind: 'pushed',
  from: head,
  forced,
  kept: kept?.branch,
  missing: missing || undefined,
});

/** Whether the server refuses the branch that would keep the head, for a reason of its own. */
function isKeepingRefused({ output }: RemoteResult, branch: string): boolean {
  const verdict = readPushReport(output, branchReference(branch));
  return verdict.kind === 'rejected' && !/^atomic /.test(verdict.reason);
}

/** Whether the head that was read is gone, because of another push. */
const hasMoved = (error: unknown): boolean =>
  error instanceof GitFailure &&
  error.trouble.kind === 'project' &&
  error.trouble.fault === 'no-commit';

/** The push of one commit to one branch. */
class Delivery {
  readonly #request: PushRequest;
  readonly #tools: Tools;
  readonly #scratch: Scratch;
  readonly #project: Remote;
  readonly #reference: string;
  /** The branch's name, sanitized. */
  readonly #branch: SafeText;
  #source: ObjectSource | undefined;
  /** The head when it was first read; undefined before that. */
  #first: string | null | undefined;
  /** The last push, if its result is unknown. */
  #sent: Push | undefined;
  /** Why the last push was refused, and the branch's head at that time. */
  #rejection: { head: string | null; trouble: GitTrouble } | undefined;

  constructor(request: PushRequest, tools: Tools, scratch: Scratch) {
    const { address, token } = request.project;
    this.#request = request;
    this.#tools = tools;
    this.#scratch = scratch;
    const branch = request.branch ?? defaultBranch;
    this.#reference = branchReference(branch);
    this.#branch = tools.clean(branch);
    this.#project = {
      name: 'project',
      url: address.url,
      protocol: address.protocol,
      username: address.username || 'git',
      token: address.password || token,
    };
  }

  /** Reads the branch, decides and pushes; repeats that if the response was lost or another push came first. */
  async run(): Promise<PushResult> {
    for (let round = 1; ; round += 1) {
      const head = await readHead(this.#scratch, this.#tools, this.#project, this.#reference);
      if (this.#first === undefined) this.#first = head;
      if (head === this.#request.commit) return this.#delivered(head);
      if (this.#rejection?.head === head) throw new GitFailure(this.#rejection.trouble);
      const next = await this.#decide(head).catch((error: unknown) => {
        if (round < tries && hasMoved(error)) return undefined;
        throw error;
      });
      if (next === undefined) continue;
      if ('kind' in next) return next;
      const sent = await this.#push(next);
      const verdict = readPushReport(sent.output, this.#reference);
      if (verdict.kind === 'pushed') return resultOf(next);
      if (verdict.kind === 'unchanged') return this.#delivered(this.#request.commit);
      const { kept } = next;
      if (head !== null && kept !== undefined && isKeepingRefused(sent, kept.branch)) {
        const references = await listReferences(this.#scratch, this.#tools, this.#project);
        const keptHead = references.get(branchReference(kept.branch));
        if (keptHead !== head) return await this.#refuse(head, kept.lost);
        // It exists by our own push, whose response was lost.
        this.#sent = next;
        continue;
      }
      await this.#handleFailure(verdict, sent, next, round);
    }
  }

  /** The result for a commit that is in the branch, by an earlier push of this run if one was sent. */
  #delivered(head: string): PushResult {
    return this.#sent === undefined ? { kind: 'there', head } : resultOf(this.#sent);
  }

  async #decide(head: string | null): Promise<PushResult | Push> {
    if (head === null) return await this.#newBranch();
    const { force } = this.#request;
    this.#source ??= await findSource(this.#scratch, this.#tools, this.#request);
    const distance = await this.#distance(head);
    const { lost, gained } = distance;
    switch (decide({ head, first: this.#first ?? null, ...distance }, force)) {
      case 'keep':
        return this.#delivered(head);
      case 'push':
        return { head, forced: false, gained };
      case 'force':
        return { head, forced: true, gained };
      case 'refuse':
        return (await this.#adoption(head, distance)) ?? (await this.#refuse(head, lost));
      case 'rival':
        throw new GitFailure({ kind: 'rival', branch: this.#branch });
    }
  }

  /** The push that creates the branch. @throws a {@link GitFailure} if no input names it and there are others */
  async #newBranch(): Promise<Push> {
    const references = await listReferences(this.#scratch, this.#tools, this.#project);
    const others = branchesIn(references);
    const head = references.get('HEAD');
    if (this.#request.branch === undefined && others.length > 0) {
      const { clean } = this.#tools;
      const heads = others.filter((name) => references.get(branchReference(name)) === head);
      throw new GitFailure({
        kind: 'no-branch',
        branch: this.#branch,
        others: others.map((name) => clean(name)),
        usual: heads.length === 1 ? clean(heads.join()) : undefined,
      });
    }
    this.#source ??= await findSource(this.#scratch, this.#tools, this.#request);
    if (head?.length === 64) throw new GitFailure({ kind: 'other-hash' });
    // All of them are pushed, so that fetching only the history first would be one request more.
    await this.#source.files(null, 0);
    const missing = head === undefined ? 0 : await this.#missing(head);
    return { head: null, forced: false, gained: null, missing };
  }

  /** The number of commits of the default branch that a new branch lacks; 0 if it can't be read. */
  async #missing(head: string): Promise<number> {
    try {
      return (await this.#distance(head)).lost;
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error;
      return 0;
    }
  }

  /** The push that replaces a template; undefined unless it is certain that the project contains nothing else. */
  async #adoption(head: string, { gained, lost }: Distance): Promise<Push | undefined> {
    const { mayAdopt } = this.#request;
    if (mayAdopt === undefined || head !== this.#first) return undefined;
    if (!isFirstCommit(await this.#scratch.textOf(head))) return undefined;
    const references = await listReferences(this.#scratch, this.#tools, this.#project);
    const others = otherReferences(references, this.#reference, head);
    if (others === 'others' || !(await mayAdopt())) return undefined;
    const kept = { branch: keptBranch(head), isThere: others === 'kept', lost };
    return { head, forced: true, gained, kept };
  }

  async #refuse(head: string, count: number): Promise<PushResult> {
    const { sha, subject } = await this.#scratch.newestLost(head, this.#request.commit);
    const newest = { sha, subject: this.#tools.clean(subject) };
    return { kind: 'refused', head, count, newest };
  }

  async #distance(head: string): Promise<Distance> {
    const { commit } = this.#request;
    await this.#source?.history();
    const known = await this.#scratch.distance(head, commit);
    if (known !== null) return known;
    const isAvailable = await this.#source?.also(head);
    const local = isAvailable ? await this.#scratch.distance(head, commit) : null;
    if (local !== null) return local;
    this.#tools.report({ step: 'fetch-branch' });
    await fetchCommits(this.#scratch, this.#tools, {
      remote: this.#project,
      commits: [head],
      onlyHistory: true,
      trouble: projectTrouble,
    });
    const fetched = await this.#scratch.distance(head, commit);
    if (fetched !== null) return fetched;
    if (!(await this.#scratch.hasHistory(head))) {
      throw new GitFailure({ kind: 'cut-history', branch: this.#branch });
    }
    throw new GitFailure({ kind: 'local', detail: safe`a fetched commit is missing` });
  }

  async #push({ head, forced, gained, kept }: Push): Promise<RemoteResult> {
    await this.#source?.files(head, gained ?? 0);
    this.#tools.report({ step: 'push', commits: gained, forced });
    // Succeeds only while the branch's head is the one that the decision is based on.
    const lease = [`--force-with-lease=${this.#reference}:${head ?? ''}`];
    const refspec = `${this.#request.commit}:${this.#reference}`;
    if (kept === undefined || kept.isThere) return await this.#send(lease, [refspec]);
    const keeping = branchReference(kept.branch);
    const absent = `--force-with-lease=${keeping}:`;
    const both = [refspec, `${head}:${keeping}`];
    const result = await this.#send(['--atomic', ...lease, absent], both);
    // A server without atomic pushes gets the branch that keeps the head first.
    if (!/does not support --atomic push/.test(result.errors)) return result;
    const first = await this.#send([absent], [`${head}:${keeping}`]);
    if (readPushReport(first.output, keeping).kind !== 'pushed') return first;
    return await this.#send(lease, [refspec]);
  }

  #send(options: readonly string[], refspecs: readonly string[]): Promise<RemoteResult> {
    const plain = ['--porcelain', '--no-verify', '--no-follow-tags', '--recurse-submodules=no'];
    const args = ['push', ...plain, ...options, this.#project.name, ...refspecs];
    return this.#scratch.runRemote(this.#project, { args });
  }

  /** Returns if the branch should be read again. @throws a {@link GitFailure} otherwise */
  async #handleFailure(
    verdict: PushVerdict,
    result: RemoteResult,
    push: Push,
    round: number,
  ): Promise<void> {
    const branch = this.#branch;
    const clean = this.#tools.clean;
    const failure = readFailure(result, this.#project, this.#tools);
    const { fault, detail } = failure;
    const isLast = round >= tries;
    if (verdict.kind === 'not-stored') throw new GitFailure({ kind: 'not-stored', detail });
    // An empty repository of another hash has no reference that shows it before.
    if (/does not support this repository's hash algorithm/.test(result.detail)) {
      throw new GitFailure({ kind: 'other-hash' });
    }
    // When curl itself repeats a request, the repetition is rejected because the first one took effect.
    if (verdict.kind !== 'outdated') this.#sent = push;
    if (verdict.kind === 'rejected') {
      const trouble: GitTrouble = {
        kind: 'rejected',
        branch,
        reason: clean(verdict.reason),
        // Each line is redacted before anything is taken from it.
        detail: readReason(result.remarks.map((line) => clean(line))),
      };
      this.#rejection = { head: push.head, trouble };
    } else if (verdict.kind === 'outdated') {
      if (isLast) throw new GitFailure({ kind: 'rival', branch });
    } else {
      const trouble: GitTrouble = { ...projectTrouble(failure), during: 'push' };
      // The branch is read again even after the last attempt: the push may have taken effect.
      if (!isPassing(fault)) throw new GitFailure(trouble);
      if (isLast) this.#rejection = { head: push.head, trouble };
      else await pauseAfter(round, detail, this.#tools);
    }
  }
}

/**
 * Pushes a commit of the workflow's repository to a branch of a project's repository. All work is done in an empty
 * temporary bare repository: no working tree, hook, filter or submodule is touched, and the workspace is not changed.
 *
 * Git is configured by its environment alone. A process with access to the project has only the project's token, one
 * with access to GitHub only GitHub's, and all others have none.
 *
 * @throws a {@link GitFailure}, or the signal's reason when that aborts: then git and all processes that it started have
 * ended, and the folder is removed
 */
export async function pushByGit(request: PushRequest, tools: Tools): Promise<PushResult> {
  tools.signal.throwIfAborted();
  await using scratch = await Scratch.create(tools, request.temp);
  return await new Delivery(request, tools, scratch).run();
}
