import type { PlannedChange } from '../core/change.ts';
import {
  countVariables,
  type EnvironmentResult,
  hasDrift,
} from '../core/report/environment-result.ts';

/**
 * The outputs that tell of a sync.
 *
 * @param others what a plan would change beside the variables
 */
export function environmentOutputs(
  environment: EnvironmentResult | undefined,
  others: readonly PlannedChange[] = [],
) {
  if (environment === undefined) return { plan: '', 'env-summary': '', drift: '' };
  const { digest, changes } = environment;
  return {
    plan: JSON.stringify({ digest, changes: [...changes, ...others] }),
    'env-summary': JSON.stringify(countVariables(environment)),
    drift: String(hasDrift(environment) || others.length > 0),
  };
}
