import pLimit from 'p-limit';
import type { Environment } from '../contract/environment.ts';
import { explainError } from '../frame/explain-error.ts';
import type { Host } from '../frame/host.ts';
import { createSameAs, type SameAs } from '../frame/repeated-failure.ts';
import type { Run } from '../frame/run.ts';
import { type SafeText, safe, trusted } from '../kernel/text/safe.ts';
import type { Ledger } from '../ledger/model/ledger.ts';
import { deleteVariable } from './delete-variable.ts';
import type { DeletionPlan } from './model/deletion.ts';
import { doneLines, variableLines } from './model/environment-lines.ts';
import { EnvironmentMatcher } from './model/environment-matcher.ts';
import {
  type EnvironmentResult,
  plannedResult,
  type VariableResult,
} from './model/environment-result.ts';
import type { EnvironmentPlan } from './model/plan-environment.ts';
import type { VariablePlan } from './model/variable-plan.ts';
import { versionsMove } from './model/write-confirmation.ts';
import { nextLedger } from './next-ledger.ts';
import type { WriteContext } from './perform.ts';
import {
  held,
  isNothing,
  resultOfPlan,
  runtimeState,
  type SyncRequest,
  tellAmbiguous,
} from './plan-sync.ts';
import { sharedNames, tidyUp, warnOfUncertainty } from './tidy-up.ts';
import { writeVariable } from './write-variable.ts';
import type { InterruptedWrites, WrittenVariable } from './writing.ts';

/** How many variables are written at once. */
const concurrency = 6;

/** A sync that ended, well or not. */
export interface SyncEnd {
  result: EnvironmentResult;
  /** The environment's metadata as the service showed it last. */
  environment: Environment;
  /** What is to be remembered; absent if nothing changed. */
  ledger?: Ledger;
  /** Why a write failed for good; absent if none did. */
  error?: unknown;
}

/** What became of one variable. */
export type WriteAttempt = WrittenVariable & { error?: unknown };

/** A variable that is not written, or not deleted, because others are in doubt. */
const notReached = (name: SafeText, reason: SafeText): VariableResult => ({
  name,
  outcome: 'not-reached',
  retargeted: false,
  reason,
});

/** What became of a variable whose writes ended in an error. */
function failure(host: Host, name: SafeText, error: unknown): VariableResult {
  const isCut = host.signal.aborted;
  const reason = isCut
    ? safe`the run ended before this was confirmed`
    : explainError(error, host.clean);
  return { name, outcome: isCut ? 'not-reached' : 'failed', retargeted: false, reason };
}

/** Does one variable's writes; a failure is kept with the result, so that the others go on. It does not throw. */
async function attempt(
  host: Host,
  name: SafeText,
  work: () => Promise<WrittenVariable | InterruptedWrites>,
): Promise<WriteAttempt> {
  const ended = await work();
  return 'result' in ended ? ended : { ...ended, result: failure(host, name, ended.error) };
}

/** A failure that was told already is not told in full again. */
function onlyOnce(sameAs: SameAs, attempt: WriteAttempt): WriteAttempt {
  const { result, error } = attempt;
  const reason = result.outcome === 'failed' ? sameAs(result.name, error) : undefined;
  return reason === undefined ? attempt : { ...attempt, result: { ...result, reason } };
}

/**
 * Does the work on some variables, several at once, and tells each result as soon as those before it are told: the
 * same order in each run.
 */
async function attemptAll<Plan>(
  host: Host,
  plans: readonly Plan[],
  work: (plan: Plan) => Promise<WriteAttempt>,
): Promise<WriteAttempt[]> {
  const limit = pLimit(concurrency);
  const attempts = plans.map((plan) => limit(work, plan));
  const sameAs = createSameAs();
  const told: WriteAttempt[] = [];
  for (const attempted of attempts) {
    const attempt = onlyOnce(sameAs, await attempted);
    host.report({ type: 'lines', entries: variableLines(attempt.result, false) });
    told.push(attempt);
  }
  return told;
}

async function writeAll(
  host: Host,
  context: WriteContext,
  plan: EnvironmentPlan,
): Promise<WriteAttempt[]> {
  tellAmbiguous(host, plan, false);
  if (plan.ambiguous.length > 0) {
    const planned = plan.variables.map(plannedResult);
    return planned.map((result) => ({ result: held(result), lostCreates: 0, steps: [] }));
  }
  const write = (one: VariablePlan) =>
    attempt(host, trusted(one.desired.name), () => writeVariable(context, one));
  return await attemptAll(host, plan.variables, write);
}

/** Deletes what is to be deleted once all that is declared is written: nothing is taken from a half-written site. */
async function deleteAll(
  host: Host,
  context: WriteContext,
  { deletions, ambiguous }: EnvironmentPlan,
  written: readonly WriteAttempt[],
): Promise<WriteAttempt[]> {
  const isWritten = ({ result: { outcome } }: WriteAttempt) =>
    ['created', 'replaced', 'retargeted', 'unchanged', 'kept'].includes(outcome);
  const isWhole = ambiguous.length === 0 && written.every(isWritten);
  const reason = safe`nothing is deleted while a declared variable is not written`;
  const nothing = { lostCreates: 0, steps: [] };
  const nameOf = ({ observed: { name } }: DeletionPlan) => host.clean(name);
  if (!isWhole) {
    return deletions.map((one) => ({ result: notReached(nameOf(one), reason), ...nothing }));
  }
  const remove = async (one: DeletionPlan): Promise<WriteAttempt> => {
    const name = nameOf(one);
    return await attempt(host, name, async () => {
      try {
        return { result: { name, ...(await deleteVariable(context, one)) }, ...nothing };
      } catch (error) {
        return { error, ...nothing };
      }
    });
  };
  return await attemptAll(host, deletions, remove);
}

/**
 * Carries a plan out: the writes of six variables at once, then the deletions. A variable that fails does not
 * stop the others. It does not throw.
 */
export async function syncEnvironment(
  { client, host }: Run,
  request: SyncRequest,
): Promise<SyncEnd> {
  const { plan, observed, policy } = request;
  const started = host.clock.now();
  const declared = plan.variables.map(({ desired: { name } }) => name);
  const context: WriteContext = {
    client,
    projectId: plan.projectId,
    policy,
    versionStep: request.ledger.ledger.versionStep ?? 1,
    versionsMove: versionsMove(observed.variables, request.ledger.ledger.versionStep),
    environmentMatcher: new EnvironmentMatcher(observed, declared),
    pause: (milliseconds) => host.clock.sleep(milliseconds, host.signal),
    latest: observed,
  };
  const written = await writeAll(host, context, plan);
  const deleted = await deleteAll(host, context, plan, written);
  const leftover = await tidyUp(context, host, request, written);
  const { latest: environment } = context;
  const shared = sharedNames(written, environment);
  warnOfUncertainty(host, request, written, environment, shared);
  const milliseconds = host.clock.now() - started;
  host.report({ type: 'lines', entries: doneLines(milliseconds, isNothing(plan)) });
  const all = [...written, ...deleted];
  const error = all.find((one) => one.error !== undefined)?.error ?? leftover;
  const ledger = nextLedger(request, written, deleted, shared);
  return {
    environment,
    ...(error === undefined ? {} : { error }),
    ...(ledger === undefined ? {} : { ledger }),
    result: {
      isPlanned: false,
      variables: all.map(({ result }) => result),
      runtime: runtimeState(environment),
      ...resultOfPlan(plan, host),
    },
  };
}
