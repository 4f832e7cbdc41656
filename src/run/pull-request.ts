import { type PullRequest, pullRequestOf } from '../core/pull-request.ts';
import { findPullRequest, getPullRequest, openOctokit } from '../github/api.ts';
import type { RunContext } from '../github/runner.ts';
import { describeTrouble } from '../github/trouble.ts';

/** The pull request that a run is about, none, or why that cannot be told. */
export type FoundPullRequest = { pullRequest: PullRequest | undefined } | { problem: string };

/** Finds the pull request that a run is about; GitHub is asked where the event does not say. */
export async function findRunsPullRequest(
  { event, apiUrl, repository }: RunContext,
  token: string,
  signal: AbortSignal,
): Promise<FoundPullRequest> {
  const source = pullRequestOf(event);
  if (source === undefined) return { pullRequest: undefined };
  if (source.kind === 'known') return { pullRequest: source.pullRequest };
  if (token === '') return { problem: 'github-token is empty, so GitHub cannot be asked' };
  try {
    const octokit = await openOctokit({ apiUrl, token, repository });
    const pullRequest =
      source.kind === 'by-number'
        ? await getPullRequest(octokit, source.number, signal)
        : await findPullRequest(octokit, source.sha, signal);
    return { pullRequest };
  } catch (error) {
    signal.throwIfAborted();
    return { problem: describeTrouble('read the pull request', error, 'pull-requests: read') };
  }
}

/**
 * Makes the question whether a pull request is open now; undefined, with a warning told once, if GitHub
 * does not say.
 */
export function askIfOpen(
  { apiUrl, repository }: RunContext,
  token: string,
  signal: AbortSignal,
  warn: (text: string) => void,
): (number: number) => Promise<boolean | undefined> {
  let warned = false;
  return async (number) => {
    try {
      const octokit = await openOctokit({ apiUrl, token, repository });
      return (await getPullRequest(octokit, number, signal))?.isOpen;
    } catch (error) {
      signal.throwIfAborted();
      const doing = 'see whether the pull request is still open';
      if (!warned) warn(describeTrouble(doing, error, 'pull-requests: read'));
      warned = true;
      return undefined;
    }
  };
}
