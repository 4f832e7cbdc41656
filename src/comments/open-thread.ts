import { type GitHubAccess, openOctokit } from '../github/client.ts';
import { gitHubThread } from '../github/comments.ts';
import type { CommentThread } from '../platform.ts';

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
