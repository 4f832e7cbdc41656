import { type SafeText, safe } from '../../kernel/text/safe.ts';
import { type EnvironmentResult, isBlank, type VariableOutcome } from '../result.ts';

/** Outcomes after which not all declared variables can be in use. */
const missing: readonly VariableOutcome[] = ['conflict', 'failed', 'not-reached'];

/**
 * Which runtimes use the written variables (section "Environment metadata response"). Empty for a plan; a runtime
 * whose state the service doesn't report is left out. "All" is never claimed after an incomplete sync.
 */
export function describeRuntimes(result: EnvironmentResult): SafeText[] {
  const { isPlanned, variables, ambiguous, runtime } = result;
  const isWhole = ambiguous.length === 0 && !variables.some((one) => missing.includes(one.outcome));
  if (isPlanned || isBlank(result)) return [];
  const { stale, pending } = runtime;
  const next = safe`hanges take effect with the next deployment.`;
  if (stale === true && pending === true) return [safe`C${next}`];
  const describe = (runtime: SafeText, waits: boolean | undefined) => {
    if (waits === true) return [safe`${runtime}: c${next}`];
    return waits === false && isWhole ? [safe`${runtime}: all variables are in use.`] : [];
  };
  return [...describe(safe`Preview`, stale), ...describe(safe`Production`, pending)];
}
