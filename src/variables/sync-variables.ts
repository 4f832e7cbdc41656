import type { Environment } from '../contract/environment.ts';
import { EarlyEnd } from '../frame/host.ts';
import type { Run } from '../frame/step.ts';
import { type Diagnostic, diagnose, reword } from '../kernel/diagnostic.ts';
import { joinSafe, type SafeText, safe } from '../kernel/text/safe.ts';
import { sentence } from '../kernel/text/sentence.ts';
import type { LedgerKeeper, OpenLedger } from '../ledger/ledger-keeper.ts';
import type { SyncRequest } from './plan-sync.ts';
import type { EnvironmentResult } from './result.ts';
import { syncEnvironment } from './sync.ts';

/** What is known of a project's variables before they are synced. */
export interface KnownVariables {
  observed: Environment;
  ledger: OpenLedger;
}

/** Reads what the service shows of a project's variables, and what is remembered of them. */
export async function observeVariables(
  { client }: Run,
  projectId: string,
  ledgers: LedgerKeeper,
): Promise<KnownVariables> {
  const [observed, ledger] = await Promise.all([
    client.getEnvironment(projectId),
    ledgers.open(projectId),
  ]);
  return { observed, ledger };
}

/** What conflicts ask of somebody; undefined if there are none. */
export function describeConflicts(result: EnvironmentResult): Diagnostic | undefined {
  const conflicts = result.variables.filter(({ outcome }) => outcome === 'conflict');
  const told = [...result.ambiguous, ...conflicts].map(
    ({ name, reason }) => safe`${name}: ${reason}`,
  );
  if (told.length === 0) return undefined;
  const what = told.length === 1 ? safe`a conflict` : safe`conflicts`;
  const advice =
    conflicts.length === 0
      ? safe`Settle it on the service, and run the job again.`
      : safe`Settle it on the service, or set env-on-conflict to overwrite or keep, and run the job again.`;
  const code = conflicts.length === 0 ? 'SD4002' : 'SD4001';
  return diagnose(code, safe`${what}: ${sentence(joinSafe(told, '; '))} ${advice}`);
}

/**
 * Syncs the variables, and begins to keep what is to be remembered.
 *
 * @param undone what a conflict leaves undone, in words
 * @param found is told the result, however the sync ends
 * @returns the environment's metadata as the service showed it last
 * @throws EarlyEnd if there is a conflict, or the error that a write failed with
 */
export async function syncVariables(
  run: Run,
  request: SyncRequest,
  undone: SafeText,
  found: (part: { environment: EnvironmentResult }) => void,
): Promise<Environment> {
  const end = await syncEnvironment(run, request);
  found({ environment: end.result });
  if (end.ledger !== undefined) request.ledger.save(end.ledger);
  if (end.error !== undefined) throw end.error;
  const conflicts = describeConflicts(end.result);
  if (conflicts === undefined) return end.environment;
  const diagnostic = reword(conflicts, (why) => safe`${undone}, because of ${why}`);
  throw new EarlyEnd('conflict', diagnostic);
}
