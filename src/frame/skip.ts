import type { RunContext } from '../github/runner.ts';
import type { Inputs } from '../inputs/input.ts';
import { whyHeldBack } from '../kernel/event/held-back.ts';
import { trustIn } from '../kernel/event/trust.ts';

/** A step that has nothing to do. */
export interface Skip {
  kind: 'skip';
  /** The output `skipped-reason`. */
  reason: string;
  /** The reason as a sentence without its period. */
  message: string;
}

const noCredentials = {
  fork: 'pull requests from forks get no secrets',
  dependabot: 'Dependabot runs get only Dependabot secrets',
  'missing-credentials': 'on-missing-credentials is skip',
} as const;

/** The pull request is closed and has no preview. */
export const closedSkip: Skip = {
  kind: 'skip',
  reason: 'pull-request-closed',
  message: 'the pull request is closed; without preview-domain there is nothing to clean up',
};

/** The pull request is closed, and `mode: plan` writes nothing. */
export const plannedCleanUp: Skip = {
  kind: 'skip',
  reason: 'pull-request-closed',
  message: 'the pull request is closed; without mode: plan its preview would be removed',
};

/** The run's commit is not the head of an open pull request anymore, or the branch is gone. */
export const supersededSkip: Skip = {
  kind: 'skip',
  reason: 'no-open-pull-request',
  message:
    'this commit is not the head of a pull request anymore: a newer one was pushed, or the fork was deleted',
};

/** The branch was deleted, and commit-sha is not set. */
export const branchDeleted: Skip = {
  kind: 'skip',
  reason: 'branch-deleted',
  message: 'the branch was deleted: there is no commit to deploy',
};

/** What decides whether a step may run. */
interface Starting {
  inputs: Inputs<{ 'allowed-associations': readonly string[]; 'api-key': string }>;
  context: RunContext;
}

/**
 * Why a step must not run for the user who started it; undefined if it may.
 *
 * @param holdsProposers true if the author of a pull request must be allowed, too
 */
export function whyHeld({ inputs, context }: Starting, holdsProposers: boolean): Skip | undefined {
  const allowed = inputs.get('allowed-associations');
  const message = allowed && whyHeldBack(context.event, { allowed, holdsProposers });
  return message === undefined ? undefined : { kind: 'skip', reason: 'not-allowed', message };
}

/** Why a step without a key is skipped; undefined if it has a key, or must have one. */
export function missingKey(
  { inputs, context }: Starting,
  policy: 'auto' | 'skip' | 'fail' = 'auto',
): Skip | undefined {
  const { withheld } = trustIn(context.event);
  const mayMiss = policy === 'skip' || (policy === 'auto' && withheld !== undefined);
  const hasKey = (inputs.get('api-key') ?? '') !== '';
  if (hasKey || !mayMiss) return undefined;
  const reason = withheld ?? 'missing-credentials';
  return { kind: 'skip', reason, message: `api-key is empty: ${noCredentials[reason]}` };
}

/**
 * Why a step is skipped. The user who started the run is checked first, so that a stranger learns nothing else.
 */
export function whyNotToStart(step: Starting, holdsProposers: boolean): Skip | undefined {
  return whyHeld(step, holdsProposers) ?? missingKey(step);
}
