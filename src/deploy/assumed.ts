import { sha } from '../contract/commit.ts';
import type { AskedSource } from '../kernel/event/pull-request-source.ts';
import { trustIn } from '../kernel/event/trust.ts';
import type { WorkflowEvent } from '../kernel/event.ts';
import type { PullRequest } from '../kernel/pull-request.ts';

/** What GitHub may answer; undefined: no pull request is the one that is meant. */
export interface PossibleAnswer {
  isOpen: boolean;
  /** Undefined if the event says already whether it comes from a fork. */
  isFork: boolean | undefined;
  pullRequest: PullRequest;
}

/** True if the event says whether the pull request comes from a fork: a run that ended does. */
const isForkKnown = ({ sha: head }: AskedSource): boolean => head !== undefined;

/**
 * Pull requests in place of the one that GitHub would be asked for, as far as they make a difference: open and closed,
 * of the repository and of a fork. What the event does not say of them stands for anything: it is never shown.
 */
export function possiblePullRequests(source: AskedSource, event: WorkflowEvent): PossibleAnswer[] {
  const told = isForkKnown(source);
  const forks = told ? [trustIn(event).code === 'unknown'] : [false, true];
  return [true, false].flatMap((isOpen) =>
    forks.map((isFork) => ({
      isOpen,
      isFork: told ? undefined : isFork,
      pullRequest: {
        number: source.kind === 'by-number' ? source.number : 0,
        sha: source.sha ?? sha('0'.repeat(40)),
        branch: source.branch ?? 'assumed',
        isOpen,
        isFork,
        headRepository: undefined,
        baseRepository: undefined,
      },
    })),
  );
}
