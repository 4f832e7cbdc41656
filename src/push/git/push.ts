import { forFreeText, type SafeText, safe } from '../../kernel/text/safe.ts';
import { isFirstCommit, keptBranch, otherReferences } from '../model/adoption.ts';
import { branchReference, type Distance, decide } from '../model/decide.ts';
import { faultOf, isPassing } from '../model/fault.ts';
import { GitFailure, type GitTrouble } from '../model/git-failure.ts';
import { type PushResult, type PushVerdict, readPushReport } from '../model/push-result.ts';
import { findSource, type Source } from './commit-source.ts';
import type { Remote } from './git-environment.ts';
import {
  fetchCommits,
  listReferences,
  look,
  pauseAfter,
  projectTrouble,
  tries,
} from './network.ts';
import type { BringRequest, Tools } from './request.ts';
import { type Answer, Scratch } from './scratch.ts';

/** The branch that keeps a head. */
interface Kept {
  readonly branch: string;
  readonly isThere: boolean;
  /** How many commits the project's own branch loses. */
  readonly lost: number;
}

/** What is to be pushed, and what it does to the branch. */
interface Push {
  readonly head: string | null;
  readonly forced: boolean;
  /** How many commits the branch gains, or null if that was not counted. */
  readonly gained: number | null;
  /** The branch that keeps the head, and whether it is there already. */
  readonly kept?: Kept;
}

/** A server that cannot update several references as one. */
const notAtomic = /does not support --atomic push/;

/** Whether the other side takes no new branch for the head, so that this cannot be kept: not because of the other one. */
function isKeepingRefused({ output }: Answer, { branch }: Kept): boolean {
  const verdict = readPushReport(output, branchReference(branch));
  return verdict.kind === 'rejected' && !/^atomic /.test(verdict.reason);
}

/** Whether the head that was seen is gone: somebody has pushed since. */
const hasMoved = (error: unknown): boolean =>
  error instanceof GitFailure &&
  error.trouble.kind === 'project' &&
  error.trouble.fault === 'no-commit';

const pushed = ({ head, forced, kept }: Push): PushResult => ({
  kind: 'pushed',
  from: head,
  forced,
  ...(kept && { kept: kept.branch }),
});

/** The work on one commit and one branch. */
class Delivery {
  readonly #request: BringRequest;
  readonly #tools: Tools;
  readonly #scratch: Scratch;
  readonly #project: Remote;
  readonly #reference: string;
  /** The branch's name as it may be shown. */
  readonly #branch: SafeText;
  #source: Source | undefined;
  /** The head at the first look; undefined before it. */
  #first: string | null | undefined;
  /** The last push of ours, whose end is not known. */
  #sent: Push | undefined;
  /** What the other side said against the last push, and the head that the branch had then. */
  #rejection: { head: string | null; trouble: GitTrouble } | undefined;

  constructor(request: BringRequest, tools: Tools, scratch: Scratch) {
    const { address, username, token } = request.project;
    this.#request = request;
    this.#tools = tools;
    this.#scratch = scratch;
    this.#reference = branchReference(request.branch);
    this.#branch = tools.clean(request.branch);
    this.#project = {
      name: 'project',
      url: address.url,
      protocol: address.protocol,
      username: address.username || username,
      token: address.password || token,
    };
  }

  /** Looks, decides and pushes, and does so again where the answer was lost or somebody else was faster. */
  async bring(): Promise<PushResult> {
    for (let round = 1; ; round += 1) {
      const head = await look(this.#scratch, this.#tools, this.#project, this.#reference);
      if (this.#first === undefined) this.#first = head;
      if (head === this.#request.commit) return this.#arrived(head);
      if (this.#rejection?.head === head) throw new GitFailure(this.#rejection.trouble);
      const next = await this.#decide(head).catch((error: unknown) => {
        if (round < tries && hasMoved(error)) return undefined;
        throw error;
      });
      if (next === undefined) continue;
      if ('kind' in next) return next;
      const brought = await this.#carryOut(next, round);
      if (brought !== undefined) return brought;
    }
  }

  /** Pushes. @returns undefined if it is worth another look */
  async #carryOut(next: Push, round: number): Promise<PushResult | undefined> {
    const answer = await this.#push(next);
    const verdict = readPushReport(answer.output, this.#reference);
    if (verdict.kind === 'pushed') return pushed(next);
    if (verdict.kind === 'unchanged') return this.#arrived(this.#request.commit);
    const { head, kept } = next;
    if (head !== null && kept !== undefined && isKeepingRefused(answer, kept)) {
      return await this.#refuse(head, kept.lost);
    }
    await this.#consider(verdict, answer, next, round);
    return undefined;
  }

  /** The commit is in the branch: by a push of ours whose answer was lost, or without one. */
  #arrived(head: string): PushResult {
    if (this.#sent === undefined) return { kind: 'there', head };
    return pushed(this.#sent);
  }

  async #decide(head: string | null): Promise<PushResult | Push> {
    const { force } = this.#request;
    this.#source ??= await findSource(this.#scratch, this.#tools, this.#request);
    if (head === null) return { head, forced: false, gained: null };
    const distance = await this.#distance(head);
    const { lost, gained } = distance;
    switch (decide({ head, first: this.#first ?? null, ...distance }, force)) {
      case 'keep':
        return this.#arrived(head);
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

  /** The push that takes the place of a template; undefined unless the project surely holds nothing else. */
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
    const newest = { sha, subject: forFreeText(this.#tools.clean)(subject) };
    return { kind: 'refused', head, count, newest };
  }

  async #distance(head: string) {
    const { commit } = this.#request;
    await this.#source?.history();
    const known = await this.#scratch.distance(head, commit);
    if (known !== null) return known;
    const isAtHand = await this.#source?.also(head);
    const beside = isAtHand ? await this.#scratch.distance(head, commit) : null;
    if (beside !== null) return beside;
    this.#tools.report({ step: 'fetch-branch' });
    await fetchCommits(this.#scratch, this.#tools, {
      remote: this.#project,
      commits: [head],
      onlyHistory: true,
      trouble: projectTrouble,
    });
    const fetched = await this.#scratch.distance(head, commit);
    if (fetched !== null) return fetched;
    throw new GitFailure({ kind: 'local', words: safe`a fetched commit is not there` });
  }

  async #push({ head, forced, gained, kept }: Push): Promise<Answer> {
    await this.#source?.files(head, gained ?? 0);
    this.#tools.report({ step: 'push', commits: gained, forced });
    // Only while the head is the one that was decided about, whatever else git would believe to lie between.
    const lease = [`--force-with-lease=${this.#reference}:${head ?? ''}`];
    const refspec = `${this.#request.commit}:${this.#reference}`;
    if (kept === undefined || kept.isThere) return await this.#send(lease, [refspec]);
    const keeping = `refs/heads/${kept.branch}`;
    const absent = `--force-with-lease=${keeping}:`;
    const both = [refspec, `${head}:${keeping}`];
    const answer = await this.#send(['--atomic', ...lease, absent], both);
    if (!notAtomic.test(answer.errors)) return answer;
    const first = await this.#send([absent], [`${head}:${keeping}`]);
    if (readPushReport(first.output, keeping).kind !== 'pushed') return first;
    return await this.#send(lease, [refspec]);
  }

  #send(options: readonly string[], refspecs: readonly string[]): Promise<Answer> {
    const plain = ['--porcelain', '--no-verify', '--no-follow-tags', '--recurse-submodules=no'];
    const args = ['push', ...plain, ...options, this.#project.name, ...refspecs];
    return this.#scratch.talk(this.#project, { args });
  }

  /** Returns if it is worth another look. @throws a {@link GitFailure} if it is not */
  async #consider(verdict: PushVerdict, answer: Answer, push: Push, round: number): Promise<void> {
    const branch = this.#branch;
    const clean = forFreeText(this.#tools.clean);
    const words = clean(answer.words);
    const isLast = round >= tries;
    if (verdict.kind === 'not-stored') throw new GitFailure({ kind: 'not-stored', words });
    // A connection that curl itself tried anew has its second try rejected, because the first took effect.
    if (verdict.kind !== 'outdated') this.#sent = push;
    if (verdict.kind === 'rejected') {
      const reason = clean(verdict.reason);
      const trouble: GitTrouble = { kind: 'rejected', branch, reason, words };
      this.#rejection = { head: push.head, trouble };
    } else if (verdict.kind === 'outdated') {
      if (isLast) throw new GitFailure({ kind: 'rival', branch });
    } else {
      const fault = faultOf(answer);
      const trouble: GitTrouble = { ...projectTrouble(fault, words), during: 'push' };
      // One more look, even after the last try: the push may have taken effect.
      if (!isPassing(fault)) throw new GitFailure(trouble);
      if (isLast) this.#rejection = { head: push.head, trouble };
      else await pauseAfter(round, words, this.#tools);
    }
  }
}

/**
 * Brings a commit of the workflow's repository to a branch of a project's repository. Everything is done in an
 * empty bare repository of our own, which is removed at the end, however that comes: no working tree, hook, filter
 * or submodule is touched, and the workspace is left as it was.
 *
 * Git is told all that it needs by its environment, and its own settings have no say. A process that talks to the
 * project holds the project's token alone, one that talks to GitHub holds GitHub's alone, and all others hold none.
 *
 * @throws a {@link GitFailure}, whose message says what to do, or the signal's reason when that aborts: then git
 * and all that it started have ended, and the folder is gone
 */
export async function pushCommit(request: BringRequest, tools: Tools): Promise<PushResult> {
  tools.signal.throwIfAborted();
  await using scratch = await Scratch.create(tools, request.temp);
  return await new Delivery(request, tools, scratch).bring();
}
