import type { Environment } from '../contract/environment.ts';
import { EarlyEnd, type Run } from '../frame/step.ts';
import { type Diagnostic, diagnose } from '../kernel/diagnostic.ts';
import { sentence } from '../kernel/text/format.ts';
import { joinSafe, type SafeText, safe } from '../kernel/text/safe.ts';
import type { LedgerKeeper, OpenLedger } from '../ledger/ledger-keeper.ts';
import type { SyncRequest } from './plan-sync.ts';
import type { EnvironmentResult } from './result.ts';
import { syncEnvironment } from './sync.ts';

/** The state of a project's variables before a sync. */
export interface KnownVariables {
  observed: Environment;
  ledger: OpenLedger;
}

/** Reads a project's variables from the service, and its ledger. */
export async function observeVariables(
  { client }: Run,
  projectId: string,
  ledgers: LedgerKeeper,
): Promise<KnownVariables> {
  const [observed, ledger] = await Promise.all([
    client.readEnvironment(projectId),
    ledgers.open(projectId),
  ]);
  return { observed, ledger };
}

/**
 * The conflicts and how to resolve them; undefined if there are none.
 *
 * @param consequence a sentence on what was not done because of them
 */
export function describeConflicts(
  result: EnvironmentResult,
  consequence = safe``,
): Diagnostic | undefined {
  const conflicts = result.variables.filter(({ outcome }) => outcome === 'conflict');
  const described = [...result.ambiguous, ...conflicts].map(
    ({ name, reason }) => safe`${name}: ${reason}`,
  );
  if (described.length === 0) return undefined;
  const advice =
    conflicts.length === 0
      ? safe`Resolve it on the service, then rerun the job.`
      : safe`Resolve it on the service, or set env-on-conflict: overwrite or keep, then rerun the job.`;
  const code = conflicts.length === 0 ? 'SD4002' : 'SD4001';
  const after = consequence === '' ? safe`` : safe` ${sentence(consequence)}`;
  return diagnose(code, safe`${sentence(joinSafe(described, '; '))}${after} ${advice}`);
}

/**
 * Syncs the variables and starts to save the ledger.
 *
 * @param consequence a sentence on what is not done if there is a conflict
 * @param found gets the result, however the sync ends
 * @returns the environment's metadata as last read
 * @throws EarlyEnd if there is a conflict, or the error that a write failed with
 */
export async function syncVariables(
  run: Run,
  request: SyncRequest,
  consequence: SafeText,
  found: (part: { environment: EnvironmentResult }) => void,
): Promise<Environment> {
  const end = await syncEnvironment(run, request);
  found({ environment: end.result });
  if (end.ledger !== undefined) request.ledger.save(end.ledger);
  if (end.error !== undefined) throw end.error;
  const conflicts = describeConflicts(end.result, consequence);
  if (conflicts === undefined) return end.environment;
  throw new EarlyEnd('conflict', conflicts);
}
