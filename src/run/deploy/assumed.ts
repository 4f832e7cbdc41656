import { sha } from '../../contract/commit.ts';
import type { PullRequestSource } from '../../core/event/pull-request.ts';
import { trustIn } from '../../core/event/trust.ts';
import type { WorkflowEvent } from '../../core/event.ts';
import type { PullRequest } from '../../core/pull-request.ts';

/** A pull request of which the event does not say all. */
export type VagueSource = Exclude<PullRequestSource, { kind: 'known' }>;

/**
 * An open pull request in place of one that GitHub would be asked for. What the event does not say of it stands for
 * anything: it is never shown.
 */
export function assumedPullRequest(source: VagueSource, event: WorkflowEvent): PullRequest {
  return {
    number: source.kind === 'by-number' ? source.number : 0,
    sha: source.kind === 'by-commit' ? source.sha : sha('0'.repeat(40)),
    branch: 'assumed',
    isOpen: true,
    isFork: source.kind === 'by-commit' && trustIn(event).code === 'unknown',
    headRepository: undefined,
    baseRepository: undefined,
  };
}
