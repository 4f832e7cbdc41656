import type { RunContext } from '../github/runner.ts';
import type { Inputs } from '../inputs/input.ts';
import { whyHeldBack } from '../kernel/event/held-back.ts';
import { trustIn } from '../kernel/event/trust.ts';

/** A step that has nothing to do. */
export interface Skip {
  kind: 'skip';
  /** The output `skipped-reason`. */
  reason: string;
  /** The same in words. */
  message: string;
}

const noCredentials = {
  fork: 'a pull request from a fork gets no secrets',
  dependabot: "Dependabot's runs get no secrets (but those of their own kind)",
  'missing-credentials': 'on-missing-credentials is skip',
} as const;

/** The pull request is closed, and no preview is there to be ended. */
export const closedSkip: Skip = {
  kind: 'skip',
  reason: 'pull-request-closed',
  message: 'the pull request is closed, and without preview-domain there is nothing to clean up',
};

/** The pull request is closed, and nothing may be written. */
export const plannedCleanUp: Skip = {
  kind: 'skip',
  reason: 'pull-request-closed',
  message: 'the pull request is closed, and mode is plan: its preview would be ended',
};

/** The run belongs to a pull request's commit that is no longer at its head, or to a branch that is gone. */
export const supersededSkip: Skip = {
  kind: 'skip',
  reason: 'no-open-pull-request',
  message:
    'no pull request of this branch has this commit at its head: a newer push came, or the fork is gone',
};

/** A branch was deleted, and no commit is given. */
export const branchDeleted: Skip = {
  kind: 'skip',
  reason: 'branch-deleted',
  message: 'the branch was deleted: there is no commit to deploy',
};

/** What decides whether a step may act at all. */
interface Starting {
  inputs: Inputs<{ 'allowed-associations': readonly string[]; 'api-key': string }>;
  context: RunContext;
}

/**
 * Why a step must not act for who started it; undefined if it may.
 *
 * @param holdsProposers true if whoever opens a pull request must be allowed, too
 */
export function whyHeld({ inputs, context }: Starting, holdsProposers: boolean): Skip | undefined {
  const allowed = inputs.get('allowed-associations');
  const message = allowed && whyHeldBack(context.event, { allowed, holdsProposers });
  return message === undefined ? undefined : { kind: 'skip', reason: 'not-allowed', message };
}

/** Why a step without a key has nothing to do; undefined if it has a key, or must have one. */
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
 * Why a step has nothing to do, or must not do it. Who started the run is asked first, so that a stranger is told
 * nothing of the rest.
 */
export function whyNotToStart(step: Starting, holdsProposers: boolean): Skip | undefined {
  return whyHeld(step, holdsProposers) ?? missingKey(step);
}
