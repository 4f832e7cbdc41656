import type { CommitInPart, Sha } from '../contract/commit.ts';
import { accessOf } from '../frame/access.ts';
import { defaultBranchOf } from '../kernel/event.ts';
import type { Problem } from '../kernel/problem.ts';
import { recordSealFor } from '../recording/record-seal.ts';
import { type Octokit, openOctokit } from '../records/api.ts';
import { compareCommits, findCommit, readRecords } from '../records/deployment-history.ts';
import { describeTrouble, type Permission } from '../records/trouble.ts';
import { planLocations, type RecordingFacts } from './plan-recording.ts';
import { findPrevious, type Previous, recordsOf } from './releases.ts';

/** How long GitHub may take to say which commit is meant, in milliseconds: every record may have to be read. */
const longestSearch = 5 * 60_000;

/** The commit that was meant, or why it is not known. */
export type FoundCommit = { commit: Sha } | { problem: Problem };

/** Thrown where the commit is not known. */
class NotFound extends Error {
  override readonly name = 'NotFound';
  readonly problem: Problem;

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.message, options);
    this.problem = problem;
  }
}

const notFound = (code: 'SD1121' | 'SD1122', message: string) =>
  new NotFound({ input: 'commit-sha', code, message });

const whyNoPrevious: Readonly<Record<Exclude<Previous['kind'], 'found'>, string>> = {
  'no-record':
    'PREVIOUS found no record of a deployment to this project and environment. Give the SHA of the commit instead',
  none: 'PREVIOUS found no earlier release that was good and not rolled back. Give the SHA of the commit instead',
  'under-way':
    'PREVIOUS is not known while another run deploys here. Run the job again once that has ended, or give the SHA of the commit',
  gap: 'PREVIOUS is not known: a record of an earlier release was deleted, or is from before records were linked. Give the SHA of the commit instead',
};

/** Looks for the commit that the input names. */
class Search {
  readonly #facts: RecordingFacts;
  readonly #signal: AbortSignal;
  readonly #limit = AbortSignal.timeout(longestSearch);

  constructor(facts: RecordingFacts, signal: AbortSignal) {
    this.#facts = facts;
    this.#signal = signal;
  }

  /** What the deployment records of the run's place are read with; undefined if none are kept. */
  get #place() {
    const { values, context } = this.#facts;
    const { deployment: place } = planLocations(this.#facts);
    return place && { place, seal: recordSealFor(values, context.repository) };
  }

  async #ask<Answer>(
    doing: string,
    permission: Permission,
    ask: (octokit: Octokit) => Promise<Answer>,
  ): Promise<Answer> {
    const { values, context } = this.#facts;
    const signal = AbortSignal.any([this.#signal, this.#limit]);
    try {
      return await ask(await openOctokit(accessOf(values, context), signal));
    } catch (error) {
      this.#signal.throwIfAborted();
      if (error instanceof NotFound) throw error;
      // It is told as it is: in its own words, with its own code.
      const { code, text: message } = describeTrouble(doing, error, permission);
      throw new NotFound({ input: 'github-token', code, message }, { cause: error });
    }
  }

  /** Asks for our records, beside which the run makes its own. */
  readonly #read = <Answer>(ask: (octokit: Octokit) => Promise<Answer>): Promise<Answer> =>
    this.#ask('read what was deployed before', 'deployments: write', ask);

  #compare(base: Sha, head: Sha) {
    return this.#ask('compare commits', 'contents: read', (octokit) =>
      compareCommits(octokit, base, head),
    );
  }

  async previous(): Promise<Sha> {
    const records = this.#place;
    if (records === undefined) throw new Error('PREVIOUS without records');
    const { target } = this.#facts;
    const { place, seal } = records;
    const projectId = target.kind === 'project' ? target.id : undefined;
    const standing = (base: Sha, head: Sha) => this.#compare(base, head);
    const found = await this.#read((octokit) =>
      findPrevious({ ...recordsOf(octokit, seal, place), standing, now: Date.now() }, projectId),
    );
    if (found.kind === 'found') return found.commit;
    throw notFound('SD1122', whyNoPrevious[found.kind]);
  }

  async byDigits(digits: string): Promise<Sha> {
    const [commit, ...others] = await this.#inRecords(digits);
    if (others.length > 0) {
      const message = `"${digits}" begins several commits that were released here. Give all 40 hex digits`;
      throw notFound('SD1121', message);
    }
    return commit ?? (await this.#onGitHub(digits));
  }

  /** The commits of our records that begin with these digits. */
  async #inRecords(digits: string): Promise<Set<Sha>> {
    const records = this.#place;
    const matching = new Set<Sha>();
    if (records === undefined) return matching;
    const { seal, place } = records;
    return await this.#read(async (octokit) => {
      for await (const { commit } of readRecords(octokit, seal, place)) {
        if (commit.startsWith(digits)) matching.add(commit);
      }
      return matching;
    });
  }

  /** The commit of the default branch that begins with these digits. GitHub answers with others, too. */
  async #onGitHub(digits: string): Promise<Sha> {
    const find = (ref: string) =>
      this.#ask('find the commit', 'contents: read', (octokit) => findCommit(octokit, ref));
    const commit = await find(digits);
    if (commit?.startsWith(digits) !== true) {
      throw notFound('SD1121', `"${digits}" is no commit here, or several. Give all 40 hex digits`);
    }
    const branch = defaultBranchOf(this.#facts.context.event);
    // A tag may have the name of the branch.
    const head = branch === undefined ? undefined : await find(`heads/${branch}`);
    const standing = head && (await this.#compare(head, commit));
    if (standing === 'behind' || standing === 'identical') return commit;
    const message = `"${digits}" is ${commit}, which is not known to be on the default branch. Give all 40 hex digits to deploy it`;
    throw notFound('SD1121', message);
  }
}

/** Finds the commit that `commit-sha` names by its first digits, or as `PREVIOUS`. */
export async function findGivenCommit(
  given: CommitInPart,
  facts: RecordingFacts,
  signal: AbortSignal,
): Promise<FoundCommit> {
  const search = new Search(facts, signal);
  try {
    const finding = given === 'PREVIOUS' ? search.previous() : search.byDigits(given.digits);
    return { commit: await finding };
  } catch (error) {
    if (error instanceof NotFound) return { problem: error.problem };
    throw error;
  }
}
