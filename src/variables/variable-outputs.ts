import { jsonOutput, planOutput } from '../frame/outputs.ts';
import type { PlannedChange } from '../kernel/change.ts';
import { countVariables, type EnvironmentResult, hasDrift } from './result.ts';

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
    plan: planOutput(digest, [...changes, ...others]),
    'env-summary': jsonOutput(countVariables(environment)),
    drift: String(hasDrift(environment) || others.length > 0),
  };
}
