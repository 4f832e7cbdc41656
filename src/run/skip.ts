import { whyHeldBack } from '../core/event/held-back.ts';
import { trustIn } from '../core/event/trust.ts';
import { commitOf } from '../core/event.ts';
import type { RunContext } from '../github/runner.ts';
import type { Values } from '../inputs.ts';

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

/** The run belongs to a pull request's commit that is no longer at its head. */
export const supersededSkip: Skip = {
  kind: 'skip',
  reason: 'no-open-pull-request',
  message: 'no open pull request has this commit at its head: a newer push came, or it was closed',
};

/** Why a step without a key has nothing to do; undefined if it has a key, or must have one. */
function missingKey(
  apiKey: string | undefined,
  policy: 'auto' | 'skip' | 'fail',
  { event }: RunContext,
): Skip | undefined {
  const { withheld } = trustIn(event);
  const mayMiss = policy === 'skip' || (policy === 'auto' && withheld !== undefined);
  if (apiKey !== undefined || !mayMiss) return undefined;
  const reason = withheld ?? 'missing-credentials';
  return { kind: 'skip', reason, message: `api-key is empty: ${noCredentials[reason]}` };
}

/** What decides whether a step may act at all. */
interface Starting {
  'allowed-associations'?: readonly string[];
  'api-key'?: string;
  'on-missing-credentials'?: 'auto' | 'skip' | 'fail';
}

/**
 * Why a step must not act in this run, or has no key to act with; undefined if it may, and has one or must have one.
 * Who started the run is asked first, so that a stranger is told nothing of the rest.
 *
 * @param holdsProposers true if whoever opens a pull request must be allowed, too
 */
export function whyNotToStart(
  values: Starting,
  context: RunContext,
  holdsProposers: boolean,
): Skip | undefined {
  const { 'allowed-associations': allowed, 'api-key': apiKey } = values;
  const message = allowed && whyHeldBack(context.event, { allowed, holdsProposers });
  if (message !== undefined) return { kind: 'skip', reason: 'not-allowed', message };
  return missingKey(apiKey, values['on-missing-credentials'] ?? 'auto', context);
}

/** Whether the step has nothing to do, or may not do it: for who started it, without a key, or without a commit. */
export function skipReason(
  values: Partial<Values<'deploy'>>,
  context: RunContext,
): Skip | undefined {
  const skip = whyNotToStart(values, context, false);
  if (skip !== undefined) return skip;
  const source = commitOf(context.event);
  const isDeleted = source.kind === 'skip' && source.reason === 'branch-deleted';
  if (!isDeleted || values['commit-sha'] !== undefined) return undefined;
  const message = 'the branch was deleted: there is no commit to deploy';
  return { kind: 'skip', reason: 'branch-deleted', message };
}
