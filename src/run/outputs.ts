import {
  countVariables,
  type EnvironmentResult,
  hasDrift,
} from '../core/report/environment-result.ts';

/** The outputs that tell of a sync. */
export function environmentOutputs(environment: EnvironmentResult | undefined) {
  if (environment === undefined) return { plan: '', 'env-summary': '', drift: '' };
  const { digest, changes } = environment;
  return {
    plan: JSON.stringify({ digest, changes }),
    'env-summary': JSON.stringify(countVariables(environment)),
    drift: String(hasDrift(environment)),
  };
}
