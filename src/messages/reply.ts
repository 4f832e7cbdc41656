import { createHash } from 'node:crypto';
import type { RunIdentity } from '../kernel/idempotency.ts';
import type { Thread } from './model/thread.ts';

/** What a reply answers. */
export interface Asked {
  thread: Thread;
  projectId: string;
  /** The message's text. */
  content: string;
}

/**
 * The key of a reply. Other steps, jobs and texts have a reply of their own to the same comment. Where no comment
 * asked, so has each run: two of them may ask for the same.
 */
export function replyKey(
  { thread, projectId, content }: Asked,
  { runId, job, step }: Pick<RunIdentity, 'runId' | 'job' | 'step'>,
): string {
  const cause = thread.commentId ?? `thread ${thread.number} run ${runId}`;
  const words = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return ['message', cause, projectId, job, step, words].join(' ');
}
