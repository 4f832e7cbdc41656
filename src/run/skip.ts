import { commitOf, trustOf } from '../core/event.ts';
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
  trusted: 'on-missing-credentials is skip',
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
export function missingKey(
  apiKey: string | undefined,
  policy: 'auto' | 'skip' | 'fail' | undefined,
  { event }: RunContext,
): Skip | undefined {
  const trust = trustOf(event);
  const mayMiss = policy === 'skip' || (policy === 'auto' && trust !== 'trusted');
  if (apiKey !== undefined || !mayMiss) return undefined;
  const reason = trust === 'trusted' ? 'missing-credentials' : trust;
  return { kind: 'skip', reason, message: `api-key is empty: ${noCredentials[trust]}` };
}

/** Whether the step has nothing to do, or may not do it: without a key, or without a commit. */
export function skipReason(
  values: Partial<Values<'deploy'>>,
  context: RunContext,
): Skip | undefined {
  const keyless = missingKey(values['api-key'], values['on-missing-credentials'], context);
  if (keyless !== undefined) return keyless;
  const source = commitOf(context.event);
  const isDeleted = source.kind === 'skip' && source.reason === 'branch-deleted';
  if (!isDeleted || values['commit-sha'] !== undefined) return undefined;
  const message = 'the branch was deleted: there is no commit to deploy';
  return { kind: 'skip', reason: 'branch-deleted', message };
}
