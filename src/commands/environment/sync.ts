import pLimit from 'p-limit';
import type { Environment } from '../../contract/environment.ts';
import type { DesiredVariable } from '../../core/environment/desired.ts';
import {
  type EnvironmentPlan,
  planDigest,
  planEnvironment,
  plannedChanges,
  type VariablePlan,
} from '../../core/environment/plan.ts';
import type { ConflictPolicy } from '../../core/environment/recovery.ts';
import type { EnvironmentResult, VariableResult } from '../../core/report/report.ts';
import type { ServiceClient } from '../../service/client.ts';
import { explain } from '../explain.ts';
import type { Host } from '../host.ts';
import { removeDuplicates } from './remove-duplicates.ts';
import { type WriteContext, type WrittenVariable, writeVariable } from './write-variable.ts';

/** How many variables are written at once. */
const atOnce = 6;

/** What to sync, and where. */
export interface SyncRequest {
  projectId: string;
  /** What the service showed of the environment. */
  observed: Environment;
  variables: readonly DesiredVariable[];
  policy: ConflictPolicy;
}

/** A sync that ended, well or not. */
export interface SyncEnd {
  result: EnvironmentResult;
  /** The environment's metadata as the service showed it last. */
  environment: Environment;
  /** Why a write failed for good; absent if none did. */
  error?: unknown;
}

function reportPlan(host: Host, plan: EnvironmentPlan): void {
  const writes = plan.variables.filter(({ actions }) => actions.length > 0).length;
  const unchanged = plan.variables.length - writes;
  const undeclared = plan.undeclared.map(({ name }) => host.clean(name));
  host.report({ type: 'environment-planned', writes, unchanged, undeclared });
  const required = plan.undeclared.filter((variable) => variable.required === true);
  if (required.length > 0) {
    const names = required.map(({ name }) => host.clean(name)).join(', ');
    const text = `The service marks ${names} as required, and this workflow gives no value. Whether the service holds one cannot be read.`;
    host.report({ type: 'warning', text });
  }
}

/** A variable that is not written because others are in doubt. */
const waiting = ({ desired: { name } }: VariablePlan): VariableResult => ({
  name,
  outcome: 'not-reached',
  retargeted: false,
  reason: 'nothing is written while the service has a declared name twice',
});

/** Writes one variable; a failure is kept with it, so that the others go on. */
async function attempt(
  host: Host,
  context: WriteContext,
  plan: VariablePlan,
): Promise<WrittenVariable & { error?: unknown }> {
  const { name } = plan.desired;
  try {
    const written = await writeVariable(context, plan);
    host.report({ type: 'variable', result: written.result });
    return written;
  } catch (error) {
    const outcome = host.signal.aborted ? 'not-reached' : 'failed';
    const reason = host.signal.aborted
      ? 'the run ended before this was confirmed'
      : explain(error, host.clean);
    const result: VariableResult = { name, outcome, retargeted: false, reason };
    host.report({ type: 'variable', result });
    return { result, doubtfulCreates: 0, error };
  }
}

/**
 * Brings a project's variables to what the workflow declares, by the writes that the plan asks for, six
 * variables at once. A variable that fails does not stop the others.
 *

 */
export async function syncEnvironment(
  client: ServiceClient,
  host: Host,
  { projectId, observed, variables, policy }: SyncRequest,
): Promise<SyncEnd> {
  const started = host.clock.now();
  let environment = observed;
  const plan = planEnvironment(variables, observed);
  reportPlan(host, plan);
  const context: WriteContext = {
    client,
    projectId,
    policy,
    pause: (milliseconds) => host.clock.sleep(milliseconds, host.signal),
    onEnvironment: (latest) => {
      environment = latest;
    },
  };
  const notReached: VariableResult[] =
    plan.ambiguous.length === 0 ? [] : plan.variables.map(waiting);
  const limit = pLimit(atOnce);
  const todo = plan.ambiguous.length === 0 ? plan.variables : [];
  const written = await limit.map(todo, (one) => attempt(host, context, one));
  const doubtful = written
    .filter(({ doubtfulCreates }) => doubtfulCreates > 0)
    .map(({ result, doubtfulCreates: creates }) => ({ name: result.name, creates }));
  const before = new Set(observed.variables.map(({ id }) => id));
  const leftovers = await removeDuplicates(client, projectId, doubtful, before);
  if (leftovers.left.length > 0) {
    const text = `The service has more than one variable called ${leftovers.left.join(', ')}: somebody else made one in the same moment. Remove all but one.`;
    host.report({ type: 'warning', text });
  }
  const error = written.find((one) => one.error !== undefined)?.error ?? leftovers.error;
  host.report({ type: 'environment-done', milliseconds: host.clock.now() - started });
  return {
    environment,
    ...(error === undefined ? {} : { error }),
    result: {
      variables: [...written.map(({ result }) => result), ...notReached],
      ambiguous: plan.ambiguous,
      undeclared: plan.undeclared.map(({ name }) => host.clean(name)),
      changes: plannedChanges(plan),
      digest: planDigest(plan),
    },
  };
}
