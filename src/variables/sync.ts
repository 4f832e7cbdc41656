import pLimit from 'p-limit';
import type { Environment } from '../contract/environment.ts';
import { type Diagnostic, diagnose, printed } from '../kernel/diagnostic.ts';
import { listNames } from '../kernel/names.ts';
import { sentence } from '../kernel/text/format.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import {
  type Ledger,
  type LedgerKeeper,
  type OpenLedger,
  updateLedger,
} from '../ledger/model/ledger.ts';
import { cleanEach } from '../step/clean.ts';
import { createSameAs, explainError } from '../step/run-outcome.ts';
import { type Host, type Run, Stop } from '../step/step.ts';
import type { ConflictPolicy, VariablesRequest } from './intent.ts';
import {
  type DeletionPlan,
  readLedger,
  unmasks,
  type VariablePlan,
} from './model/variable-plan.ts';
import { type EnvironmentPlan, planEnvironment, plannedChanges } from './plan.ts';
import { doneLines, type PlannedCounts, planLines, variableLines } from './render.ts';
import {
  type EnvironmentResult,
  plannedDeletion,
  plannedResult,
  runtimeState,
  type VariableResult,
} from './result.ts';
import { deleteVariable, type EndedWrites, type WriteContext, writeVariable } from './write.ts';

/** A plan, with the cleaned names of variables that the workflow does not declare. */
export interface PlannedSync extends EnvironmentPlan {
  named: {
    undeclared: readonly SafeText[];
    /** Those of them that the service requires and that have no known value. */
    missing: readonly SafeText[];
  };
}

/** True if a plan has no changes and no conflicts. */
const isNothing = ({ variables, deletions, ambiguous }: EnvironmentPlan): boolean =>
  variables.every(({ actions, left }) => actions.length === 0 && left === undefined) &&
  deletions.length === 0 &&
  ambiguous.length === 0;

/** Names as a part of a sentence. */
export const listCleanNames = (names: readonly SafeText[]): SafeText =>
  listNames(names, (name) => name);

/** The parts of a result that depend on the plan alone. */
const resultOfPlan = (plan: PlannedSync, host: Host) => ({
  ambiguous: plan.ambiguous,
  undeclared: plan.named.undeclared,
  requiredMissing: plan.named.missing,
  changes: plannedChanges(plan, host.clean),
  digest: plan.digest,
});

/** A plan to apply, and what it was made from. */
interface SyncRequest {
  plan: PlannedSync;
  observed: Environment;
  policy: ConflictPolicy;
  ledger: OpenLedger;
}

/**
 * Plans a sync and logs its counts. It sends nothing.
 *
 * @throws Stop if the plan would delete variables that the service requires, or the input `env` would make secret
 * ones plain; the run's signal's reason
 */
export async function planSync(
  host: Host,
  request: VariablesRequest & { projectId: string; observed: Environment; ledger: OpenLedger },
): Promise<SyncRequest> {
  const { projectId, observed, variables, onConflict: policy, removals, ledger } = request;
  const ledgerReader = readLedger(ledger.ledger, ledger.fingerprint);
  const { marks } = ledger;
  const rules = { projectId, policy, remove: removals, ledgerReader, marks };
  const plan = planEnvironment(variables, observed, rules);

  const needed = plan.deletions.filter((one) => one.observed.required === true);
  if (needed.length > 0) {
    const names = listNames(
      needed.map((one) => one.observed.name),
      host.clean,
    );
    const text = safe`The service requires ${names}; nothing was written or deleted. Remove the name from env-remove, or the line \`remove: true\` from the site file.`;
    throw new Stop('failed', diagnose('SD4014', text));
  }
  const unmasked = plan.variables.filter((one) => unmasks(one.desired, one.observed));
  if (unmasked.length > 0) {
    const names = listCleanNames(unmasked.map((one) => host.clean(one.desired.name)));
    const text = safe`The service has ${names} as secret, and env would make it plain; nothing was written. Use env-from, which keeps it secret.`;
    throw new Stop('failed', diagnose('SD4015', text));
  }

  const withoutValue = new Set(plan.requiredMissing);
  const others = await cleanEach(host, plan.undeclared, (variable) => ({
    name: host.clean(variable.name),
    isRequired: variable.required === true,
    isMissing: withoutValue.has(variable),
  }));
  const undeclared = others.map(({ name }) => name);
  const required = others.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const missing = others.filter(({ isMissing }) => isMissing).map(({ name }) => name);
  const counts: PlannedCounts = {
    writes: plan.variables.filter(({ actions }) => actions.length > 0).length,
    deletions: plan.deletions.filter(({ left }) => left === undefined).length,
    unchanged: plan.variables.filter(({ actions, left }) => actions.length === 0 && !left).length,
    left: [...plan.variables, ...plan.deletions].filter(({ left }) => left !== undefined).length,
    ambiguous: plan.ambiguous.length,
    undeclared,
  };
  host.report({ type: 'lines', entries: planLines(counts) });
  if (required.length > 0) {
    const text =
      missing.length === 0
        ? safe`The service requires ${listCleanNames(required)}, but this workflow gives no value. Check that the service has one.`
        : safe`The service requires ${listCleanNames(missing)}, and no value is known. Add it to env-from, or set it on the service.`;
    host.report({ type: 'warning', diagnostic: diagnose('SD4004', text) });
  }
  return { plan: { ...plan, named: { undeclared, missing } }, observed, policy, ledger };
}

/** A variable that is not written because a declared name is ambiguous. */
const withoutWrites = ({ name, outcome, ...rest }: VariableResult): VariableResult =>
  outcome === 'unchanged'
    ? { name, outcome, ...rest }
    : {
        name,
        outcome: 'not-reached',
        retargeted: false,
        reason: safe`nothing is written while the service has duplicates of a declared name`,
      };

/** Logs the declared names that the service has more than once. */
function logAmbiguous(host: Host, { ambiguous }: EnvironmentPlan, isPlanned: boolean): void {
  for (const { name, reason } of ambiguous) {
    const result: VariableResult = { name, outcome: 'conflict', retargeted: false, reason };
    host.report({ type: 'lines', entries: variableLines(result, isPlanned) });
  }
}

/** Logs what a plan would do. */
export function showVariablesPlan(host: Host, { plan, observed }: SyncRequest): EnvironmentResult {
  const deletions = plan.deletions.map((one) => plannedDeletion(one, host.clean));
  const planned = [...plan.variables.map(plannedResult), ...deletions];
  const variables = plan.ambiguous.length === 0 ? planned : planned.map(withoutWrites);
  logAmbiguous(host, plan, true);
  for (const result of variables) {
    host.report({ type: 'lines', entries: variableLines(result, true) });
  }
  host.report({ type: 'lines', entries: doneLines(0, isNothing(plan)) });
  return {
    isPlanned: true,
    variables,
    runtime: runtimeState(observed),
    ...resultOfPlan(plan, host),
  };
}

/** Reads a project's variables from the service, and its ledger. */
export async function observeVariables(
  { client }: Run,
  projectId: string,
  ledgers: LedgerKeeper,
): Promise<{ observed: Environment; ledger: OpenLedger }> {
  const [observed, ledger] = await Promise.all([
    client.readEnvironment(projectId),
    ledgers.open(projectId),
  ]);
  return { observed, ledger };
}

/**
 * Syncs the variables and starts to save the ledger.
 *
 * @param consequence a sentence on what is not done if there is a conflict
 * @param report gets the result, however the sync ends
 * @returns the environment's metadata as last read
 * @throws Stop if there is a conflict, or the error that a write failed with
 */
export async function syncVariables(
  run: Run,
  request: SyncRequest,
  consequence: SafeText,
  report: { environment?: EnvironmentResult },
): Promise<Environment> {
  const end = await syncEnvironment(run, request);
  report.environment = end.result;
  if (end.ledger !== undefined) request.ledger.save(end.ledger);
  if (end.error !== undefined) throw end.error;
  const conflicts = describeConflicts(end.result, consequence, end.environment.variables);
  if (conflicts === undefined) return end.environment;
  throw new Stop('conflict', conflicts);
}

/** A sync that ended, well or not. */
export interface SyncEnd {
  result: EnvironmentResult;
  /** The environment's metadata as last read. */
  environment: Environment;
  /** The ledger to save; undefined if nothing in it changed. */
  ledger: Ledger | undefined;
  /** Why a write failed; undefined if none did. */
  error: unknown;
}

/** The writes of one variable and their result. */
interface WriteAttempt extends Pick<EndedWrites, 'confirmed'> {
  result: VariableResult;
  error?: unknown;
}

/**
 * Applies a plan: first the writes, six variables at a time, then the deletions. A failed variable does not stop the
 * others. It does not throw.
 */
export async function syncEnvironment(
  { client, host }: Run,
  request: SyncRequest,
): Promise<SyncEnd> {
  const { plan, observed, policy } = request;
  const started = host.clock.now();
  const context: WriteContext = {
    client,
    projectId: plan.projectId,
    policy,
    pause: (milliseconds) => host.clock.sleep(milliseconds, host.signal),
    latest: observed,
  };
  const written = await writeAll(host, context, plan);
  const deleted = await deleteAll(host, context, plan, written);
  const { latest: environment } = context;
  const milliseconds = host.clock.now() - started;
  host.report({ type: 'lines', entries: doneLines(milliseconds, isNothing(plan)) });
  const all = [...written, ...deleted];
  return {
    environment,
    error: all.find((one) => one.error !== undefined)?.error,
    ledger: nextLedger(request, written, deleted),
    result: {
      isPlanned: false,
      variables: all.map(({ result }) => result),
      runtime: runtimeState(environment),
      ...resultOfPlan(plan, host),
    },
  };
}

async function writeAll(
  host: Host,
  context: WriteContext,
  plan: EnvironmentPlan,
): Promise<WriteAttempt[]> {
  logAmbiguous(host, plan, false);
  if (plan.ambiguous.length > 0) {
    const planned = plan.variables.map(plannedResult);
    return planned.map((result) => ({ result: withoutWrites(result) }));
  }
  const nameOf = ({ desired }: VariablePlan) => unsafeText(desired.name);
  return await attemptAll(host, plan.variables, nameOf, (one) => writeVariable(context, one));
}

/** Deletes variables, but only if all declared ones were written. */
async function deleteAll(
  host: Host,
  context: WriteContext,
  { deletions, ambiguous }: EnvironmentPlan,
  written: readonly WriteAttempt[],
): Promise<WriteAttempt[]> {
  const isWhole =
    ambiguous.length === 0 &&
    written.every(({ result: { outcome } }) =>
      ['created', 'replaced', 'retargeted', 'unchanged', 'kept'].includes(outcome),
    );
  const nameOf = ({ observed: { name } }: DeletionPlan) => host.clean(name);
  if (!isWhole) {
    const reason = safe`nothing is deleted until all declared variables are written`;
    const untouched = { outcome: 'not-reached', retargeted: false, reason } as const;
    return deletions.map((one) => ({ result: { name: nameOf(one), ...untouched } }));
  }
  return await attemptAll(host, deletions, nameOf, (one) => deleteVariable(context, one));
}

/**
 * Runs the work on six variables at a time and logs the results in the order of the plans. An error is part of the
 * result, so that other variables continue.
 */
async function attemptAll<Plan>(
  host: Host,
  plans: readonly Plan[],
  nameOf: (plan: Plan) => SafeText,
  work: (plan: Plan) => Promise<EndedWrites>,
): Promise<WriteAttempt[]> {
  const attempt = async (plan: Plan): Promise<WriteAttempt> => {
    const name = nameOf(plan);
    const ended = await work(plan).catch((error: unknown): EndedWrites => ({ error }));
    if (!('error' in ended)) return { ...ended, result: { name, ...ended.result } };
    // Asked now: the run may be aborted while the results before this one are waited for.
    const isCut = host.signal.aborted;
    const reason = isCut
      ? safe`the run ended before this was confirmed`
      : printed(explainError(ended.error, host.clean));
    const outcome = isCut ? 'not-reached' : 'failed';
    return { ...ended, result: { name, outcome, retargeted: false, reason } };
  };
  const limit = pLimit(6);
  const attempts = plans.map((plan) => limit(attempt, plan));
  const sameAs = createSameAs();
  const finished: WriteAttempt[] = [];
  for (const attempted of attempts) {
    const ended = await attempted;
    const { name, outcome, reason } = ended.result;
    // A failure that was already logged is shortened.
    const again = outcome === 'failed' ? sameAs(name, ended.error) : undefined;
    const result = { ...ended.result, reason: again ?? reason };
    host.report({ type: 'lines', entries: variableLines(result, false) });
    finished.push({ ...ended, result });
  }
  return finished;
}

/** The ledger after the writes; undefined if nothing in it changed. */
function nextLedger(
  { plan, observed, ledger }: SyncRequest,
  written: readonly WriteAttempt[],
  deleted: readonly WriteAttempt[],
): Ledger | undefined {
  const declared = new Map(plan.variables.map(({ desired }) => [desired.name, desired]));
  const next = updateLedger(ledger.ledger, ledger.fingerprint, {
    before: observed.variables,
    confirmed: written.flatMap(({ result: { name }, confirmed }) => {
      const desired = declared.get(name);
      if (confirmed === undefined || desired === undefined) return [];
      return [{ variable: confirmed, value: desired.value, kind: desired.kind }];
    }),
    deleted: new Set(
      plan.deletions
        .filter((_, index) => deleted[index]?.result.outcome === 'deleted')
        .map(({ observed: { id } }) => id),
    ),
  });
  return JSON.stringify(next) === JSON.stringify(ledger.ledger) ? undefined : next;
}

/**
 * The conflicts and how to resolve them; undefined if there are none.
 *
 * @param consequence a sentence on what was not done because of them
 * @param latest the variables after a sync, which may have a name twice that was planned as one
 */
export function describeConflicts(
  result: EnvironmentResult,
  consequence = safe``,
  latest: Environment['variables'] = [],
): Diagnostic | undefined {
  const conflicts = result.variables.filter(({ outcome }) => outcome === 'conflict');
  const all = [...result.ambiguous, ...conflicts];
  const [first] = all;
  if (first === undefined) return undefined;
  const what =
    all.length === 1
      ? sentence(safe`${first.name}: ${first.reason}`)
      : safe`${all.length} variables in conflict: ${listNames(all, ({ name }) => name, 5)}. The summary lists the reasons.`;
  // Where there is room for it.
  const whose =
    all.length === 1 ? safe`or keep` : safe`(the workflow's values) or keep (the service's)`;
  const isTwice = (conflict: { name: string }) =>
    latest.filter(({ name }) => name === conflict.name).length > 1;
  const [code, advice] = conflicts.every(isTwice)
    ? (['SD4002', safe`Resolve it on the service and rerun the job.`] as const)
    : (['SD4001', safe`Set env-on-conflict: overwrite ${whose}, and push.`] as const);
  const after = consequence === '' ? safe`` : safe` ${sentence(consequence)}`;
  return diagnose(code, safe`${what}${after} ${advice}`);
}
