import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { explainError } from '../frame/explain-error.ts';
import type { Run } from '../frame/run.ts';
import { type SafeText, safe, trusted } from '../kernel/text/safe.ts';
import { type Applying, attempt, isUndone, skip } from './context.ts';
import { connectDomain, releaseDomain } from './domain-writes.ts';
import type { ConnectionPlan } from './model/connection.ts';
import type { ChangeResult } from './model/domains-report.ts';
import { assignDomain } from './place-domain.ts';

const doing = ({ declared: { hostname }, reason }: ConnectionPlan, action: string) => ({
  resource: 'connected-domain' as const,
  name: trusted(hostname),
  action,
  reason,
});

/** The domains of a run as they were last seen, by hostname. */
export type Seen = Map<string, ConnectedDomain>;

/** Assigns a domain to a project, or to none. */
async function assign(
  run: Run,
  { hostname, projectId }: ConnectionPlan['declared'],
  seen: ConnectedDomain | undefined,
): Promise<ConnectedDomain> {
  return typeof projectId === 'string'
    ? await assignDomain(run, { hostname, projectId, seen })
    : await releaseDomain(run, hostname);
}

/** Sees where a domain is after an assignment that failed; where even that fails, it is as it was last seen. */
async function lookAfter({ client, host }: Run, hostname: string, seen: Seen): Promise<void> {
  if (host.signal.aborted) return;
  try {
    seen.set(hostname, await client.getConnectedDomain(hostname, false));
  } catch (error) {
    host.report({
      type: 'note',
      text: safe`${trusted(hostname)} could not be read. ${explainError(error, host.clean)}`,
    });
  }
}

/** Connects what is not connected yet: the first step, because verification takes longest. */
export async function applyConnect(
  run: Applying,
  plan: ConnectionPlan,
  seen: Seen,
): Promise<ChangeResult[]> {
  const { hostname } = plan.declared;
  if (!plan.actions.includes('connect')) return [];
  const result = await attempt(run, doing(plan, 'connect'), async () => {
    seen.set(hostname, await connectDomain(run, { hostname }));
    return undefined;
  });
  return [result];
}

/**
 * Assigns a domain, or clears its assignment: the last step.
 *
 * @param blocked why it must not be done; undefined if it may
 */
export async function applyAssignment(
  run: Applying,
  plan: ConnectionPlan,
  seen: Seen,
  blocked: SafeText | undefined,
): Promise<ChangeResult[]> {
  const { hostname } = plan.declared;
  const action = plan.actions.find((one) => one !== 'connect');
  if (action === undefined) return [];
  const isMissing = plan.actions.includes('connect') && !seen.has(hostname);
  const reason = isMissing ? safe`it could not be connected` : blocked;
  if (reason !== undefined) return [skip(run, doing(plan, action), reason)];
  const result = await attempt(run, doing(plan, action), async () => {
    seen.set(hostname, await assign(run, plan.declared, seen.get(hostname)));
    return undefined;
  });
  if (isUndone(result)) await lookAfter(run, hostname, seen);
  return [result];
}
