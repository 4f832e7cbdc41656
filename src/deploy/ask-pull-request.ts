import { accessOf } from '../frame/access.ts';
import type { Preflight } from '../frame/action.ts';
import type { Step } from '../frame/step.ts';
import type { AskedSource } from '../kernel/event/pull-request-source.ts';
import type { Problem } from '../kernel/problem.ts';
import type { PullRequest } from '../kernel/pull-request.ts';
import type { GitHubAccess } from '../records/api.ts';

/** Most events tell all of their pull request. */
const loadGitHub = () => import('../records/api.ts');
const loadTrouble = () => import('../records/trouble.ts');

/** How long GitHub may take to say whether a pull request is open, in milliseconds: a deploy waits for it. */
const longestQuestion = 5000;

/** What came of the question for a pull request: undefined if none is the one that is meant. */
export type Answer = { pullRequest: PullRequest | undefined } | { problem: Problem };

/** What keeps a step from asking GitHub for its pull request, whatever GitHub would answer. */
export function askingProblems({ inputs }: Pick<Step<'deploy'>, 'inputs'>): Problem[] {
  if (inputs.with(['github-token'], ({ 'github-token': token = '' }) => token !== '') !== false) {
    return [];
  }
  return [
    { input: 'github-token', code: 'SD1111', message: 'is empty, so GitHub cannot be asked' },
  ];
}

/** Asks GitHub for the pull request that a run is about, where the event does not say all of it. */
export async function askForPullRequest(
  source: AskedSource,
  { inputs, context }: Step<'deploy'>,
  { signal }: Preflight,
): Promise<Answer> {
  const access = accessOf({ 'github-token': inputs.get('github-token') }, context);
  try {
    const { findPullRequestOfBranch, getPullRequest, openOctokit } = await loadGitHub();
    const octokit = await openOctokit(access, signal);
    if (source.kind === 'by-branch') {
      return { pullRequest: await findPullRequestOfBranch(octokit, source, source.accepts) };
    }
    const found = await getPullRequest(octokit, source.number);
    return { pullRequest: found && source.accepts(found) ? found : undefined };
  } catch (error) {
    signal.throwIfAborted();
    // It is told as it is: in its own words, with its own code.
    const { describeTrouble } = await loadTrouble();
    const trouble = describeTrouble('read the pull request', error, 'pull-requests: read');
    return { problem: { input: 'github-token', code: trouble.code, message: trouble.text } };
  }
}

/**
 * Makes the question whether a pull request is open now; undefined, with a warning told once, if GitHub
 * does not say within 5 s.
 */
export function askIfOpen(
  access: GitHubAccess,
  { signal, warn }: Preflight,
): (number: number) => Promise<boolean | undefined> {
  let warned = false;
  return async (number) => {
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(longestQuestion)]);
      const { getPullRequest, openOctokit } = await loadGitHub();
      const octokit = await openOctokit(access, limit);
      return (await getPullRequest(octokit, number))?.isOpen;
    } catch (error) {
      signal.throwIfAborted();
      if (warned) return undefined;
      warned = true;
      const { describeTrouble } = await loadTrouble();
      const doing = 'see whether the pull request is still open';
      warn(describeTrouble(doing, error, 'pull-requests: read'));
      return undefined;
    }
  };
}

/** A question that may begin before it is asked. */
export interface HeadStart<Answer> {
  begin(): void;
  /** Asks; the first is given the answer of what was begun. */
  ask(): Promise<Answer>;
}

/** Lets a question begin before it is asked. */
export function withHeadStart<Answer>(ask: () => Promise<Answer>): HeadStart<Answer> {
  let begun: Promise<Answer> | undefined;
  return {
    begin: () => {
      begun = ask();
      // Whoever asks is told of a failure.
      begun.catch(() => undefined);
    },
    ask: () => {
      const answer = begun ?? ask();
      begun = undefined;
      return answer;
    },
  };
}
