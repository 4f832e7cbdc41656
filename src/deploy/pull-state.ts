import type { GitHubAccess, PullState } from '../github/client.ts';
import type { Abilities } from '../platform.ts';
import type { Preflight, Step } from '../step/step.ts';

/** How long the query may take, in milliseconds: the deployment waits for it. */
const longestQuery = 5000;

const closed: PullState = { isOpen: false, labels: [], at: 0 };

/**
 * Creates the query of a pull request's state now. It gives undefined where no server can be queried, and with one
 * warning if the server fails or takes longer than 5 s. Other servers than GitHub never report an open one: there, a user
 * may end its preview.
 */
export function pullStates(
  access: GitHubAccess,
  { readsPullRequests }: Abilities,
  { signal, warn }: Preflight,
): (number: number) => Promise<PullState | undefined> {
  const { comments } = access;
  let warned = false;
  return async (number) => {
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(longestQuery)]);
      if (comments?.isClosed === undefined) {
        if (!readsPullRequests) return undefined;
        const { getPullRequest, openOctokit } = await import('../github/client.ts');
        return await getPullRequest(await openOctokit(access, limit), number);
      }
      return (await comments.isClosed(number, limit)) ? closed : undefined;
    } catch (error) {
      signal.throwIfAborted();
      if (warned) return undefined;
      warned = true;
      const { describeTrouble } = await import('../github/errors.ts');
      const doing = 'check whether the pull request is still open';
      const describe = comments?.describeTrouble ?? describeTrouble;
      warn(describe(doing, error, 'pull-requests: read'));
      return undefined;
    }
  };
}

/** The question of one run whether its pull request is open, which may be sent before somebody needs the answer. */
export interface PullStateQuery {
  begin(): void;
  /** The first call gets the result of the query that was sent early. */
  query(): Promise<boolean | undefined>;
}

/** @param number of the pull request; undefined if the run has none: its state is not known then */
export function pullStateQuery(
  number: number | undefined,
  access: GitHubAccess,
  step: Preflight & Pick<Step<unknown>, 'context'>,
): PullStateQuery {
  const query = pullStates(access, step.context.can, step);
  const ask = async () => (number === undefined ? undefined : (await query(number))?.isOpen);
  let early: ReturnType<typeof ask> | undefined;
  return {
    begin: () => {
      early = ask();
      // The first call of `query` gets the error.
      early.catch(() => undefined);
    },
    query: () => {
      const answer = early ?? ask();
      early = undefined;
      return answer;
    },
  };
}
