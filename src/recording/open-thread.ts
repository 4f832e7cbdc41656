import type { CommentThread } from '../platform.ts';
import { type GitHubAccess, openOctokit } from '../records/api.ts';
import { gitHubThread } from '../records/github-thread.ts';

/** Opens the comments on an issue or a pull request, where the run keeps them. */
export async function openThread(
  access: GitHubAccess,
  number: number,
  signal: AbortSignal,
): Promise<CommentThread> {
  const { comments } = access;
  if (comments !== undefined) return comments.open(number, signal);
  return gitHubThread(await openOctokit(access, signal), number);
}
