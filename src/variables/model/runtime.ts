import { type SafeText, safe } from '../../kernel/text/safe.ts';
import { type EnvironmentResult, isBlank, type VariableOutcome } from '../result.ts';

/** What is not written: of the rest, nobody says "all". */
const missing: readonly VariableOutcome[] = ['conflict', 'failed', 'not-reached'];

/**
 * What the service says of where the variables are in use (section "Environment metadata response"): written is one
 * thing, in use by the preview and in production are others. What it does not say is left out, and so is a plan;
 * nobody says that all are in use after a sync that did not write all that is declared.
 */
export function describeRuntimes(result: EnvironmentResult): SafeText[] {
  const { isPlanned, variables, ambiguous, runtime } = result;
  const isWhole = ambiguous.length === 0 && !variables.some((one) => missing.includes(one.outcome));
  if (isPlanned || isBlank(result)) return [];
  const { stale, pending } = runtime;
  const say = (where: SafeText, waits: boolean | undefined) =>
    waits === undefined || !(waits || isWhole)
      ? []
      : [
          waits
            ? safe`${where}: not all variables are in use yet`
            : safe`${where}: all variables are in use`,
        ];
  return [...say(safe`Preview`, stale), ...say(safe`Production`, pending)];
}
