import type { CommentContext } from '../core/comment/body.ts';
import { openOctokit } from '../github/api.ts';
import { writeComment } from '../github/comment.ts';
import type { RunContext } from '../github/runner.ts';
import { describeTrouble } from '../github/trouble.ts';
import { type KeyValues, sealFor } from './marker-seal.ts';

/** A comment on an issue or a pull request. */
export interface ThreadComment {
  /** The issue's or pull request's number. */
  number: number;
  /** True: it is no pull request, and GitHub wants another permission. */
  isIssue?: boolean;
  /** One comment for each key. */
  key: string;
  render: (context: CommentContext) => string;
  /** False: only one that is there already is edited. */
  mayCreate: boolean;
}

/**
 * Writes the one comment of a key. What fails is a warning, and the run's outcome stands.
 *
 * @returns its address, or empty
 */
export async function commentOnThread(
  { apiUrl, repository, runUrl, identity }: RunContext,
  values: KeyValues & { 'github-token'?: string | undefined },
  { number, isIssue, key, render, mayCreate }: ThreadComment,
  { signal, warn }: { signal: AbortSignal; warn: (text: string) => void },
): Promise<string> {
  const { runId, runAttempt } = identity;
  const seal = sealFor(values, repository, number);
  const marker = seal.sign({ key, runId, runAttempt });
  const token = values['github-token'] ?? '';
  try {
    const octokit = await openOctokit({ apiUrl, repository, token }, signal);
    const body = render({ marker, runUrl });
    const written = await writeComment(octokit, {
      number,
      marker,
      seal,
      body,
      mayCreate,
      known: undefined,
    });
    return written?.url ?? '';
  } catch (error) {
    const permission = isIssue === true ? 'issues: write' : 'pull-requests: write';
    warn(describeTrouble('write the comment', error, permission));
    return '';
  }
}
