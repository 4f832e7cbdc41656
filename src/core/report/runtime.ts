import { type SafeText, safe } from '../text/safe.ts';
import type { RuntimeState } from './environment-result.ts';

/**
 * What the service says of where the variables are in use (section "Environment metadata response"): written is one
 * thing, in use by the preview and in production are others. What it does not say is left out.
 */
export function describeRuntimes({ stale, pending }: RuntimeState): SafeText[] {
  const say = (where: SafeText, waits: boolean | undefined) =>
    waits === undefined
      ? []
      : [
          waits
            ? safe`${where}: not all variables are in use yet`
            : safe`${where}: all variables are in use`,
        ];
  return [...say(safe`Preview`, stale), ...say(safe`Production`, pending)];
}
