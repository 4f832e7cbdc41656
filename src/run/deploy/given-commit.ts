import type { CommitDigits, Sha } from '../../contract/commit.ts';
import { defaultBranchOf } from '../../core/event.ts';
import type { Problem } from '../../core/problem.ts';
import { openOctokit } from '../../github/api.ts';
import { compareCommits, findCommit, readRecords } from '../../github/history.ts';
import { describeTrouble, type Permission } from '../../github/trouble.ts';
import { accessOf } from '../recording/access.ts';
import { planLocations, type RecordingFacts } from '../recording/plan-recording.ts';
import { recordSealFor } from '../recording/record-seal.ts';
import { findPrevious, type Previous, releasesOn } from './releases.ts';

/** How long GitHub may take to say which commit is meant, in milliseconds: every record may have to be read. */
const longestSearch = 5 * 60_000;

/** The commit that was meant, or why it is not known. */
export type FoundCommit = { commit: Sha } | { problem: Problem };

const wrong = (code: Problem['code'], message: string): FoundCommit => ({
  problem: { input: 'commit-sha', code, message },
});

const notFound = (message: string) => wrong('SD1121', message);

const whyNoPrevious: Readonly<Record<Exclude<Previous['kind'], 'found'>, string>> = {
  'no-record':
    'PREVIOUS needs a release that was recorded here, and there is none. Give the commit instead',
  none: 'PREVIOUS finds no earlier good release that was not rolled back. Give the commit instead',
  gap: 'PREVIOUS is not known, because a deployment record is missing before what is live. Give the commit instead',
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
  #place() {
    const { values, context } = this.#facts;
    const { deployment: place } = planLocations(this.#facts);
    return place && { place, seal: recordSealFor(values, context.repository) };
  }

  #open() {
    const { values, context } = this.#facts;
    return openOctokit(accessOf(values, context), AbortSignal.any([this.#signal, this.#limit]));
  }

  async #ask<Answer>(
    doing: string,
    permission: Permission,
    ask: (octokit: Awaited<ReturnType<typeof openOctokit>>) => Promise<Answer>,
  ): Promise<Answer | FoundCommit> {
    try {
      return await ask(await this.#open());
    } catch (error) {
      this.#signal.throwIfAborted();
      return wrong('SD1121', describeTrouble(doing, error, permission));
    }
  }

  async previous(): Promise<FoundCommit> {
    const { target } = this.#facts;
    const records = this.#place();
    if (records === undefined) throw new Error('PREVIOUS without records');
    const { place, seal } = records;
    const projectId = target.kind === 'project' ? target.id : undefined;
    const compare = (base: Sha, head: Sha) =>
      this.#open().then((octokit) => compareCommits(octokit, base, head));
    const found = await this.#ask(
      'read what was deployed before',
      'deployments: write',
      (octokit) =>
        findPrevious(
          releasesOn(octokit, seal, place, { standing: compare, now: Date.now() }),
          projectId,
        ),
    );
    if ('problem' in found || 'commit' in found) return found;
    return wrong('SD1122', whyNoPrevious[found.kind]);
  }

  async byDigits({ digits }: CommitDigits): Promise<FoundCommit> {
    const recorded = await this.#inRecords(digits);
    if (!(recorded instanceof Set)) return recorded;
    const [commit, ...others] = recorded;
    if (others.length > 0) {
      return notFound(
        `"${digits}" matches several commits that were released here. Give more digits`,
      );
    }
    return commit === undefined ? await this.#onGitHub(digits) : { commit };
  }

  async #inRecords(digits: string): Promise<Set<Sha> | FoundCommit> {
    const records = this.#place();
    if (records === undefined) return new Set();
    return await this.#ask(
      'read what was deployed before',
      'deployments: write',
      async (octokit) => {
        const matching = new Set<Sha>();
        for await (const { commit } of readRecords(octokit, records.seal, records.place)) {
          if (commit.startsWith(digits)) matching.add(commit);
        }
        return matching;
      },
    );
  }

  /** Names of branches and the commits of forks answer there, too. */
  async #onGitHub(digits: string): Promise<FoundCommit> {
    const defaultBranch = defaultBranchOf(this.#facts.context.event);
    return await this.#ask('find the commit', 'contents: read', async (octokit) => {
      const commit = await findCommit(octokit, digits);
      if (commit?.startsWith(digits) !== true) {
        return notFound(`"${digits}" matches no commit, or several. Give all 40 hex digits`);
      }
      const standing =
        defaultBranch === undefined
          ? undefined
          : await compareCommits(octokit, defaultBranch, commit);
      if (standing === 'behind' || standing === 'identical') return { commit };
      return notFound(
        `"${digits}" is ${commit}, which is not on the default branch. Give all 40 hex digits to deploy it`,
      );
    });
  }
}

/** Finds the commit that `commit-sha` names by its first digits, or as `PREVIOUS`. */
export async function findGivenCommit(
  given: CommitDigits | 'PREVIOUS',
  facts: RecordingFacts,
  signal: AbortSignal,
): Promise<FoundCommit> {
  const { 'github-token': token = '' } = facts.values;
  if (token === '') {
    const message = 'cannot be looked up, because github-token is empty. Give all 40 hex digits';
    return notFound(message);
  }
  const search = new Search(facts, signal);
  return given === 'PREVIOUS' ? await search.previous() : await search.byDigits(given);
}
