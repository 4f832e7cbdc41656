import { createHash } from 'node:crypto';
import type { RunIdentity } from '../kernel/cryptography.ts';
import type { Thread } from './model/thread.ts';

/** What a reply refers to. */
export interface ReplySubject {
  thread: Thread;
  projectId: string;
  /** The message's text. */
  content: string;
}

/**
 * The key of a reply. Each step, job and text has its own reply to the same comment. Without a triggering comment, so does
 * each run.
 */
export function replyKey(
  { thread, projectId, content }: ReplySubject,
  { runId, job, step }: Pick<RunIdentity, 'runId' | 'job' | 'step'>,
): string {
  const cause = thread.commentId ?? `thread ${thread.number} run ${runId}`;
  const words = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return ['message', cause, projectId, job, step, words].join(' ');
}
