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

/** Whether the step has nothing to do, or may not do it: without a key, or without a commit. */
export function skipReason(
  values: Partial<Values<'deploy'>>,
  { event }: RunContext,
): Skip | undefined {
  const trust = trustOf(event);
  const policy = values['on-missing-credentials'];
  const mayMiss = policy === 'skip' || (policy === 'auto' && trust !== 'trusted');
  if (values['api-key'] === undefined && mayMiss) {
    const reason = trust === 'trusted' ? 'missing-credentials' : trust;
    return { kind: 'skip', reason, message: `api-key is empty: ${noCredentials[trust]}` };
  }
  const source = commitOf(event);
  if (source.kind !== 'skip') return undefined;
  const isGiven = values['commit-sha'] !== undefined;
  if (source.reason === 'branch-deleted' && isGiven) return undefined;
  const message =
    source.reason === 'branch-deleted'
      ? 'the branch was deleted: there is no commit to deploy'
      : 'the pull request was closed; its clean-up is not available in this version yet';
  return { kind: 'skip', reason: source.reason, message };
}
