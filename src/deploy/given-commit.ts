import type { CommitInPart, Sha } from '../contract/commit.ts';
import { type Octokit, openOctokit } from '../github/client.ts';
import { compareCommits, findCommit } from '../github/deployment-history.ts';
import { describeTrouble, type Permission } from '../github/errors.ts';
import type { Problem } from '../kernel/diagnostic.ts';
import type { RunContext } from '../platform.ts';
import { type Previous, previous } from '../releases/decisions.ts';
import { recordSignerFor, Series } from '../releases/series.ts';
import { accessOf } from '../step/access.ts';
import type { Course } from './job.ts';
import { planLocations } from './recording-plan.ts';

/** How long the search on GitHub may take, in milliseconds: `PREVIOUS` may read every record. */
const longestSearch = 5 * 60_000;

/** Finds the commit that `commit-sha` names by its first digits, or as `PREVIOUS`. */
export async function findGivenCommit(
  given: CommitInPart,
  course: Course,
  context: RunContext,
  signal: AbortSignal,
): Promise<{ commit: Sha } | { problem: Problem }> {
  const search = new Search(course, context, signal);
  try {
    const finding = given === 'PREVIOUS' ? search.previous() : search.byDigits(given.digits);
    return { commit: await finding };
  } catch (error) {
    if (error instanceof NotFound) return { problem: error.problem };
    throw error;
  }
}

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
    'PREVIOUS found no recorded deployment to this project and environment. Set a commit SHA instead',
  none: 'PREVIOUS found no earlier good release that was not rolled back. Set a commit SHA instead',
  'under-way':
    'PREVIOUS is unknown while another run deploys here. Rerun the job after it ends, or set a commit SHA',
  gap: 'PREVIOUS is unknown: the record of an earlier release was deleted, or is too old. Set a commit SHA instead',
};

/** Finds the commit that the input names. */
class Search {
  readonly #course: Course;
  readonly #context: RunContext;
  readonly #signal: AbortSignal;
  /** The signal, and the time limit. */
  readonly #until: AbortSignal;

  constructor(course: Course, context: RunContext, signal: AbortSignal) {
    this.#course = course;
    this.#context = context;
    this.#signal = signal;
    this.#until = AbortSignal.any([signal, AbortSignal.timeout(longestSearch)]);
  }

  async #query<Answer>(
    doing: string,
    permission: Permission,
    query: (octokit: Octokit) => Promise<Answer>,
  ): Promise<Answer> {
    const access = accessOf(this.#course.values, this.#context);
    try {
      return await query(await openOctokit(access, this.#until));
    } catch (error) {
      this.#signal.throwIfAborted();
      if (error instanceof NotFound) throw error;
      // Reported as a problem of the token, with its own code.
      const { code, text: message } = describeTrouble(doing, error, permission);
      throw new NotFound({ input: 'github-token', code, message }, { cause: error });
    }
  }

  #compare(base: Sha, head: Sha) {
    return this.#query('compare commits', 'contents: read', (octokit) =>
      compareCommits(octokit, base, head),
    );
  }

  async previous(): Promise<Sha> {
    const { values, target } = this.#course;
    const { deployment } = planLocations(this.#course, this.#context);
    if (deployment === undefined) throw new Error('PREVIOUS without records');
    const access = accessOf(values, this.#context);
    const signer = recordSignerFor(values, this.#context.repository);
    const series = new Series({ access, signer }, deployment);
    const projectId = target.kind === 'project' ? target.id : undefined;
    const compare = (base: Sha, head: Sha) => this.#compare(base, head);
    // With the permission to create the run's own record.
    const found = await this.#query('read earlier deployments', 'deployments: write', () =>
      series.decide(previous, { signal: this.#until, projectId, compare }),
    );
    if (found.kind === 'found') return found.commit;
    throw notFound('SD1122', whyNoPrevious[found.kind]);
  }

  /** The commit of the default branch that starts with these digits. GitHub returns others, too. */
  async byDigits(digits: string): Promise<Sha> {
    const find = (ref: string) =>
      this.#query('find the commit', 'contents: read', (octokit) => findCommit(octokit, ref));
    const commit = await find(digits);
    if (commit?.startsWith(digits) !== true) {
      throw notFound('SD1121', `"${digits}" matches no commit, or several. Use all 40 hex digits`);
    }
    const branch = this.#course.event.defaultBranch;
    // A tag may have the same name as the branch.
    const head = branch === undefined ? undefined : await find(`heads/${branch}`);
    const comparison = head && (await this.#compare(head, commit));
    if (comparison === 'behind' || comparison === 'identical') return commit;
    const message = `"${digits}" is ${commit}, which is not known to be on the default branch. To deploy it, use all 40 hex digits`;
    throw notFound('SD1121', message);
  }
}
