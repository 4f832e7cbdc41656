import { jsonOutput, planOutput } from '../frame/outputs.ts';
import type { PlannedChange } from '../kernel/change.ts';
import { countVariables, type EnvironmentResult, hasDrift } from './result.ts';

/**
 * The outputs of a sync.
 *
 * @param others the planned changes of other resources
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
