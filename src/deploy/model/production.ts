import type { Environment } from '../../contract/environment.ts';

/** What is known of the production runtime at one moment. */
export type ProductionState = 'pending' | 'published' | 'unknown';

/**
 * Reads whether changes wait for the production runtime (section "States and transitions", rule 4). Only
 * the boolean decides: what the counters beside it mean is not shown.
 */
export function productionState(environment: Environment | undefined): ProductionState {
  const pending = environment?.production?.pending;
  if (typeof pending !== 'boolean') return 'unknown';
  return pending ? 'pending' : 'published';
}
