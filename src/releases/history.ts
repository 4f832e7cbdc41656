import type { Sha } from '../contract/commit.ts';
import { type GitHubAccess, type Octokit, openOctokit } from '../github/client.ts';
import { compareCommits, findCommit } from '../github/deployment-history.ts';
import { describeTrouble, isLasting, type Permission } from '../github/errors.ts';
import { DiagnosedError, type Diagnostic, diagnose, reword } from '../kernel/diagnostic.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import type { Host } from '../step/step.ts';
import type { Known, RolledBack } from './decisions.ts';
import type { Question, Series } from './series.ts';

/** How the records of a run's own series are read. */
interface HistoryContext {
  access: GitHubAccess;
  /** The branch or tag of the commit; undefined or empty if it is not known. */
  branch: string | undefined;
  host: Pick<Host, 'clean' | 'clock' | 'report'>;
  /** What the run records, of which only its series is read here. */
  recorder: {
    isPlanned: boolean;
    /** The series that the run turns out to be of; undefined if nothing is recorded. */
    series: Series | undefined;
  };
}

/** GitHub deployments can't be read: GitHub denies access, or does not respond. */
export class HistoryUnreadable extends DiagnosedError {
  override readonly name = 'HistoryUnreadable';
  /** True if they can't be created either, for the same reason. */
  readonly isLasting: boolean;

  constructor(diagnostic: Diagnostic, options: ErrorOptions & { isLasting?: boolean } = {}) {
    super(diagnostic, options);
    this.isLasting = options.isLasting === true;
  }
}

/** How long one query may take, in milliseconds: the deployment waits for it. */
const longestQuestion = 30_000;

/** A question that may read every record. */
export const search = { longest: 5 * 60_000, permission: 'deployments: read' } as const;

/** A question of a run about its own series. */
type Asked = Pick<Question, 'signal' | 'fresh' | 'projectId'> & {
  longest?: number;
  permission?: Permission;
};

/** What {@link openHistory} gives. */
export type History = ReturnType<typeof openHistory>;

/**
 * The releases of a run's own series (its environment, and its project there) by the GitHub deployments created by this
 * action. Only those signed with the same key count. No request is sent before the first question.
 *
 * Each question throws {@link HistoryUnreadable} if GitHub can't be read, or the signal's reason.
 */
export function openHistory({ access, branch, host, recorder }: HistoryContext) {
  /** The permission to write the run's own record includes reading the others. */
  const usual = recorder.isPlanned ? 'deployments: write' : 'deployments: read';
  /** Told once: commits that have diverged from the run's. */
  const diverged = new Set<Sha>();

  async function query<Answer>(
    { signal, longest = longestQuestion, permission = usual }: Asked,
    read: (limit: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    if (access.token === '') {
      const text = safe`github-token is empty, so GitHub can't be queried for earlier deployments`;
      throw new HistoryUnreadable(diagnose('SD8008', text), { isLasting: true });
    }
    try {
      return await read(AbortSignal.any([signal, AbortSignal.timeout(longest)]));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof HistoryUnreadable) throw error;
      const trouble = describeTrouble('read earlier deployments', error, permission);
      throw new HistoryUnreadable(
        reword(trouble, (text) => host.clean(text)),
        { cause: error, isLasting: permission !== 'contents: read' && isLasting(error) },
      );
    }
  }

  const readCommits = <Answer>(asked: Asked, read: (octokit: Octokit) => Promise<Answer>) =>
    query({ ...asked, permission: 'contents: read' }, async (limit) =>
      read(await openOctokit(access, limit)),
    );

  /** Decides by the records. */
  async function decide<Answer>(decision: (known: Known) => Answer, asked: Asked): Promise<Answer> {
    const { series } = recorder;
    if (series === undefined) {
      const text = safe`github-deployment is false, so earlier deployments are not recorded`;
      throw new HistoryUnreadable(diagnose('SD8008', text));
    }
    const compare = (base: Sha, head: Sha) =>
      readCommits(asked, (octokit) => compareCommits(octokit, base, head));
    const now = host.clock.now();
    return await query(asked, (signal) =>
      series.decide(decision, { ...asked, signal, now, compare }),
    );
  }

  return {
    decide,

    /**
     * True if a commit is an ancestor of another. The same commit is not, and neither is one that has diverged (after a
     * force push), which is logged.
     *
     * @returns undefined if GitHub does not know one of them
     */
    async isOlder(commit: Sha, than: Sha, signal: AbortSignal): Promise<boolean | undefined> {
      if (commit === than) return false;
      const comparison = await decide((known) => known.compare(commit, than), { signal });
      if (comparison === 'diverged' && !diverged.has(than)) {
        diverged.add(than);
        const text = safe`${commit} and ${than} have diverged, as after a force push: neither is older`;
        host.report({ type: 'note', text });
      }
      return comparison && comparison === 'ahead';
    },

    /** True if a commit is the head of its branch on GitHub now; false if the branch is not known. */
    async isBranchHead(commit: Sha, signal: AbortSignal): Promise<boolean> {
      if (branch === undefined || branch === '') return false;
      const head = await readCommits({ signal }, (octokit) =>
        findCommit(octokit, `heads/${branch}`),
      );
      if (head !== commit) return false;
      const text = safe`${commit} is the head of ${host.clean(branch)} now, so on-older does not apply`;
      host.report({ type: 'note', text });
      return true;
    },
  };
}

/** Which run rolled a commit back, and when, as a clause. */
export function describeRolledBack({ restored, by: { runId, at } }: RolledBack): SafeText {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d/.exec(at) ?? [];
  const when = day === undefined ? safe`` : safe` (${unsafeText(`${day} ${time} UTC`)})`;
  const run = runId === undefined ? safe`an earlier run` : safe`run ${unsafeText(runId)}`;
  return safe`${run}${when} rolled back to ${restored}`;
}
