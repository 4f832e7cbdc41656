import pLimit from 'p-limit';
import type { ConnectedDomain } from '../contract/connected-domain.ts';
import type { RegisteredDomain } from '../contract/registered-domain.ts';
import { explainError } from '../frame/ending.ts';
import { createSameAs } from '../frame/repeated-failure.ts';
import type { Run } from '../frame/step.ts';
import { printed } from '../kernel/diagnostic.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import { ServiceError } from '../service/errors.ts';
import { type Applying, attempt, concurrency, isUndone, skip } from './apply-context.ts';
import { fullName, isInZone } from './dns/name.ts';
import type { Written } from './memory.ts';
import { assignDomain, connectDomain, releaseDomain } from './place-domain.ts';
import type { ConnectionPlan, DomainsPlan, Setting } from './plan.ts';
import { applyZone } from './records.ts';
import type { ChangeResult } from './result.ts';

/**
 * Carries a plan out in an order that never leaves a host without a route: connect, then records, then
 * assignment, then what registered domains are set to. Domains go side by side, one domain's writes in
 * sequence. What fails does not stop the others, and what depends on it is not done.
 *
 * @param records is told what became of each record
 * @returns what became of each write, also if the run is cut off; it does not throw for that
 */
export async function applyDomains(
  given: Run,
  { connections, zones, settings }: DomainsPlan,
  seen: Seen,
  records: Written = new Map(),
): Promise<ChangeResult[]> {
  const run = { ...given, sameAs: createSameAs() };
  const limit = pLimit(concurrency);
  const connected = await limit.map(connections, (plan) => applyConnect(run, plan, seen));
  const written = await limit.map(zones, (zone) => applyZone(run, zone, records));
  const broken = zones.filter((_, index) => written[index]?.some(isUndone));
  const blockOf = (name: string) => {
    const zone = broken.find(({ domain }) => isInZone(domain, name));
    return zone === undefined
      ? undefined
      : safe`a DNS record of ${unsafeText(zone.domain)} could not be written`;
  };
  const assigned = await limit.map(connections, (plan) =>
    applyAssignment(run, plan, seen, blockOf(plan.declared.hostname)),
  );
  const byDomain = [...Map.groupBy(settings, ({ domain }) => domain)];
  const set = await limit.map(byDomain, ([domain, some]) =>
    applySettings(run, some, blockOf(domain)),
  );
  return [...connected, ...written, ...assigned, ...set].flat();
}

const doing = ({ declared: { hostname }, reason }: ConnectionPlan, action: string) => ({
  resource: 'connected-domain' as const,
  name: unsafeText(hostname),
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
      text: safe`${unsafeText(hostname)} could not be read. ${printed(explainError(error, host.clean))}`,
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

const unread = safe`the service does not show it, so each run sets it`;

/** What is said where the service answers 409: it may mean that all is well, and does not say so. */
const refused = safe`the service answered 409: it is likely so already, which it does not show. If it is not, change it at the service`;

const unanswered = safe`the service may have taken it, and its answer was lost or useless: look at the domain there`;

const otherwise = safe`the service took it, and shows it otherwise: look at the domain there`;
const unshown = safe`the service took it, and does not show it in its answer: look at the domain there`;

/** Why a setting is perhaps not as it is wanted, in words. */
interface Unconfirmed {
  reason: SafeText;
  /** True if to ask once more would tell no more. */
  isFinal?: true;
}

/** Why a setting may be as it is wanted although its write failed; undefined if it is not. */
function whyUnconfirmed({ kind }: Setting, error: unknown): Unconfirmed | undefined {
  if (!(error instanceof ServiceError)) return undefined;
  const isRefused = error.status === 409;
  const isUnanswered = error.effect === 'done' || (isRefused && error.mayHaveArrived);
  if (isUnanswered) return { reason: unanswered };
  return isRefused && kind === 'project' ? { reason: refused, isFinal: true } : undefined;
}

/** Asks for it. Each time under another key, so that a service which replays answers does it anew. */
async function set(
  { client, keyFor }: Run,
  { domain, kind, value }: Setting,
  suffix: string,
): Promise<RegisteredDomain> {
  const idempotencyKey = keyFor(`set ${kind}${suffix}`, `${domain} ${value}`);
  if (kind === 'renewal') {
    return await client.setRenewal(domain, { enabled: value === true, idempotencyKey });
  }
  return typeof value === 'string'
    ? await client.bindDomain(domain, { projectId: value, idempotencyKey })
    : await client.unbindDomain(domain, idempotencyKey);
}

/** Whether the service's answer shows the setting as it is wanted; undefined if it does not show it. */
function shows({ domain, kind, value }: Setting, answer: RegisteredDomain): boolean | undefined {
  if (fullName(domain, `${answer.name}.`) !== domain) return undefined;
  if (kind === 'renewal') {
    const shown = answer.autoRenew ?? answer.renewal?.autoRenew ?? undefined;
    return shown === undefined ? undefined : shown === value;
  }
  const bound = answer.boundProjectId ?? '';
  // An answer that says nothing of a binding does not show that there is none.
  const isSilent = answer.boundProjectId === undefined && answer.bindStatus === undefined;
  if (value === null) return isSilent ? undefined : bound === '';
  return bound === '' ? undefined : bound === value;
}

/** How one request ended: undefined if its answer shows the setting as it is wanted. */
async function trySet(
  run: Run,
  setting: Setting,
  suffix: string,
): Promise<Unconfirmed | undefined> {
  try {
    const shown = shows(setting, await set(run, setting, suffix));
    if (shown === true) return undefined;
    return { reason: shown === false ? otherwise : unshown };
  } catch (error) {
    const unconfirmed = whyUnconfirmed(setting, error);
    if (unconfirmed === undefined) throw error;
    return unconfirmed;
  }
}

/**
 * Sets it, and once more if the answer does not show it: nothing else does, because it cannot be read, and to set it
 * twice does no harm.
 */
async function apply(run: Run, setting: Setting) {
  const first = await trySet(run, setting, '');
  if (first === undefined) return undefined;
  const unconfirmed = first.isFinal ? first : await trySet(run, setting, ', repeated');
  return unconfirmed && { outcome: 'unconfirmed' as const, reason: unconfirmed.reason };
}

/**
 * Sets what a registered domain must be: renewal, and the project that it is bound to.
 *
 * @param blocked why it must not be done; undefined if it may
 */
export async function applySettings(
  run: Applying,
  settings: readonly Setting[],
  blocked: SafeText | undefined,
): Promise<ChangeResult[]> {
  const results: ChangeResult[] = [];
  for (const setting of settings) {
    const { domain, kind, wanted } = setting;
    const action = kind === 'renewal' ? `renewal ${wanted}` : wanted;
    const name = unsafeText(domain);
    const doing = { resource: 'registered-domain' as const, name, action, reason: unread };
    results.push(
      blocked === undefined
        ? await attempt(run, doing, () => apply(run, setting))
        : skip(run, doing, blocked),
    );
  }
  return results;
}
