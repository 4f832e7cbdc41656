import type { PullRequest, QueriedSource, RunEvent } from '../kernel/event.ts';

/** A possible result of the query for the pull request. */
export interface PossibleAnswer {
  isOpen: boolean;
  /** Undefined if the event already shows whether it comes from a fork. */
  isFork: boolean | undefined;
  pullRequest: PullRequest;
}

/** True if the event shows whether the pull request comes from a fork: a completed workflow run does. */
const isForkKnown = ({ head }: QueriedSource): boolean => head !== undefined;

/**
 * Stand-ins for the pull request that GitHub would return, as far as they make a difference: open and closed, from the
 * repository and from a fork. Their other values are never shown.
 */
export function possiblePullRequests(source: QueriedSource, { trust }: RunEvent): PossibleAnswer[] {
  const isKnown = isForkKnown(source);
  const forks = isKnown ? [trust.code === 'unknown'] : [false, true];
  return [true, false].flatMap((isOpen) =>
    forks.map((isFork) => ({
      isOpen,
      isFork: isKnown ? undefined : isFork,
      pullRequest: {
        number: source.kind === 'by-number' ? source.number : 0,
        sha: source.head?.sha,
        branch: source.head?.branch ?? 'assumed',
        isOpen,
        isFork,
        headRepository: undefined,
        baseRepository: undefined,
      },
    })),
  );
}
