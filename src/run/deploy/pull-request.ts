import type { Code } from '../../core/catalogue/code.ts';
import { pullRequestOf } from '../../core/event/pull-request.ts';
import { isPullRequest } from '../../core/event.ts';
import type { Problem } from '../../core/problem.ts';
import type { PullRequest } from '../../core/pull-request.ts';
import type { GitHubAccess } from '../../github/api.ts';
import { describeTrouble } from '../../github/trouble.ts';
import type { WayIn } from '../action.ts';
import { accessOf } from '../recording/access.ts';
import type { Step } from '../step.ts';

/** Most events tell all of their pull request. */
const loadGitHub = () => import('../../github/api.ts');

/** How long GitHub may take to say whether a pull request is open, in milliseconds: a deploy waits for it. */
const longestQuestion = 5000;

/**
 * Finds the pull request that a run is about. GitHub is asked where the event does not say, unless something is wrong
 * already; a run that only explains asks nobody, and assumes one.
 *
 * @param problems takes why it cannot be told
 */
export async function pullRequestFor(
  { inputs: { values }, context }: Step<'deploy'>,
  { signal }: WayIn,
  problems: Problem[],
): Promise<PullRequest | undefined> {
  const source = pullRequestOf(context.event);
  if (source?.kind === 'known') return source.pullRequest;
  if (source === undefined && isPullRequest(context.event)) {
    const message = "the event's payload does not say which pull request it is about";
    problems.push({ input: 'GITHUB_EVENT_PATH', code: 'SD1110', message });
  }
  if (source === undefined || values === undefined || problems.length > 0) return undefined;
  const access = accessOf(values, context);
  const fail = (code: Code, message: string) =>
    void problems.push({ input: 'github-token', code, message });
  if (access.token === '') {
    fail('SD1111', 'is empty, so GitHub cannot be asked');
    return undefined;
  }
  if (values.mode === 'explain') {
    return (await import('./assumed.ts')).assumedPullRequest(source, context.event);
  }
  try {
    const { findPullRequest, getPullRequest, openOctokit } = await loadGitHub();
    const octokit = await openOctokit(access, signal);
    if (source.kind === 'by-commit') {
      return await findPullRequest(octokit, source.sha, source.accepts);
    }
    const found = await getPullRequest(octokit, source.number);
    return found && source.accepts(found) ? found : undefined;
  } catch (error) {
    signal.throwIfAborted();
    // It is told as it is: in its own words, with its own code.
    fail('SD1111', describeTrouble('read the pull request', error, 'pull-requests: read'));
    return undefined;
  }
}

/**
 * Makes the question whether a pull request is open now; undefined, with a warning told once, if GitHub
 * does not say within 5 s.
 */
export function askIfOpen(
  access: GitHubAccess,
  { signal, warn }: WayIn,
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
      const doing = 'see whether the pull request is still open';
      if (!warned) warn(describeTrouble(doing, error, 'pull-requests: read'));
      warned = true;
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
