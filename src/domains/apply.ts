import pLimit from 'p-limit';
import type { ConnectedDomain } from '../contract/connected-domain.ts';
import type { RegisteredDomain } from '../contract/registered-domain.ts';
import { createSameAs, explainError } from '../frame/ending.ts';
import type { Run } from '../frame/step.ts';
import { printed } from '../kernel/diagnostic.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import { ServiceError } from '../service/errors.ts';
import { type Applying, attempt, concurrency, isNotMade, skip } from './apply-context.ts';
import { assignDomain, connectDomain, releaseDomain } from './assign-domain.ts';
import { fullName, isInZone } from './dns/name.ts';
import type { KnownDomains } from './follow-verification.ts';
import { type ConnectionPlan, type DomainsPlan, describeSetting, type Setting } from './plan.ts';
import { applyZone } from './records.ts';
import type { ChangeResult } from './result.ts';

/**
 * Applies a plan in an order that keeps every host routed: connections, DNS records, assignments, then the settings of
 * registered domains. Domains are processed in parallel, one domain's writes in sequence. A failure does not stop the
 * others, but skips what depends on it.
 *
 * @returns the result of each write, even if the run is interrupted; it does not throw
 */
export async function applyDomains(
  given: Run,
  { connections, zones, settings }: DomainsPlan,
  current: KnownDomains,
): Promise<ChangeResult[]> {
  const run = { ...given, sameAs: createSameAs() };
  const limit = pLimit(concurrency);
  const connected = await limit.map(connections, (plan) => applyConnect(run, plan, current));
  const written = await limit.map(zones, (zone) => applyZone(run, zone));
  const broken = zones.filter((_, index) => written[index]?.some(isNotMade));
  const blockOf = (name: string) => {
    const zone = broken.find(({ domain }) => isInZone(domain, name));
    return zone === undefined
      ? undefined
      : safe`a DNS record of ${unsafeText(zone.domain)} could not be written`;
  };
  const assigned = await limit.map(connections, (plan) =>
    applyAssignment(run, plan, current, blockOf(plan.declared.hostname)),
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

/** Assigns a domain to a project, or to none. */
async function assign(
  run: Run,
  { hostname, projectId }: ConnectionPlan['declared'],
  current: ConnectedDomain | undefined,
): Promise<ConnectedDomain> {
  return typeof projectId === 'string'
    ? await assignDomain(run, { hostname, projectId, current })
    : await releaseDomain(run, hostname);
}

/** Reads a domain again after a failed assignment; if that fails too, the known state stays. */
async function readAgain(
  { client, host }: Run,
  hostname: string,
  current: KnownDomains,
): Promise<void> {
  if (host.signal.aborted) return;
  try {
    current.set(hostname, await client.readConnectedDomain(hostname, false));
  } catch (error) {
    host.report({
      type: 'note',
      text: safe`Could not read ${unsafeText(hostname)} again. ${printed(explainError(error, host.clean))}`,
    });
  }
}

/** Connects a domain: the first step, because verification takes longest. */
async function applyConnect(
  run: Applying,
  plan: ConnectionPlan,
  current: KnownDomains,
): Promise<ChangeResult[]> {
  const { hostname } = plan.declared;
  if (!plan.actions.includes('connect')) return [];
  const result = await attempt(run, doing(plan, 'connect'), async () => {
    current.set(hostname, await connectDomain(run, { hostname }));
    return undefined;
  });
  return [result];
}

/**
 * Assigns a domain, or clears its assignment: the last step.
 *
 * @param blocked why it is skipped; undefined if it is not
 */
async function applyAssignment(
  run: Applying,
  plan: ConnectionPlan,
  current: KnownDomains,
  blocked: SafeText | undefined,
): Promise<ChangeResult[]> {
  const { hostname } = plan.declared;
  const action = plan.actions.find((one) => one !== 'connect');
  if (action === undefined) return [];
  const isMissing = plan.actions.includes('connect') && !current.has(hostname);
  const reason = isMissing ? safe`the domain was not connected` : blocked;
  if (reason !== undefined) return [skip(run, doing(plan, action), reason)];
  const result = await attempt(run, doing(plan, action), async () => {
    current.set(hostname, await assign(run, plan.declared, current.get(hostname)));
    return undefined;
  });
  if (isNotMade(result)) await readAgain(run, hostname, current);
  return [result];
}

const unread = safe`set on every run, because the service doesn't report it`;

/** A 409 to a binding may mean that it is already in place. */
const refused = safe`the service returned 409 (conflict). The domain may already be bound to this project, or to another one. Check it on the service`;

const unanswered = safe`there was no usable response. It may be set: check it on the service`;

const otherwise = safe`the service accepted it, but reports another value. Check it on the service`;
const unshown = safe`the service accepted it, but the response doesn't show it. Check it on the service`;

/** Why a setting is not confirmed. */
interface Unconfirmed {
  reason: SafeText;
  /** True if repeating the request would not help. */
  isFinal?: true;
}

/** Why a setting may be in place although its write failed; undefined if it is not. */
function whyUnconfirmed({ kind }: Setting, error: unknown): Unconfirmed | undefined {
  if (!(error instanceof ServiceError)) return undefined;
  const isRefused = error.status === 409;
  const isUnanswered = error.effect === 'done' || (isRefused && error.mayHaveArrived);
  if (isUnanswered) return { reason: unanswered };
  return isRefused && kind === 'project' ? { reason: refused, isFinal: true } : undefined;
}

/** Sends the setting. Each attempt has its own idempotency key, so that the service doesn't replay a response. */
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

/** Whether the response confirms the setting; undefined if it does not show it. */
function shows({ domain, kind, value }: Setting, answer: RegisteredDomain): boolean | undefined {
  if (fullName(domain, `${answer.name}.`) !== domain) return undefined;
  if (kind === 'renewal') {
    const shown = answer.autoRenew ?? answer.renewal?.autoRenew ?? undefined;
    return shown === undefined ? undefined : shown === value;
  }
  const bound = answer.boundProjectId ?? '';
  // A response without any binding field doesn't prove that there is none.
  const isSilent = answer.boundProjectId === undefined && answer.bindStatus === undefined;
  if (value === null) return isSilent ? undefined : bound === '';
  return bound === '' ? undefined : bound === value;
}

/** Sends the setting once; undefined if the response confirms it. */
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
 * Sends the setting, and once more if the response does not confirm it: settings can't be read, and setting one twice
 * is harmless.
 */
async function apply(run: Run, setting: Setting) {
  const first = await trySet(run, setting, '');
  if (first === undefined) return undefined;
  const unconfirmed = first.isFinal ? first : await trySet(run, setting, ', repeated');
  return unconfirmed && { outcome: 'unconfirmed' as const, reason: unconfirmed.reason };
}

/**
 * Applies the settings of a registered domain: renewal and project.
 *
 * @param blocked why it is skipped; undefined if it is not
 */
async function applySettings(
  run: Applying,
  settings: readonly Setting[],
  blocked: SafeText | undefined,
): Promise<ChangeResult[]> {
  const results: ChangeResult[] = [];
  for (const setting of settings) {
    const doing = {
      resource: 'registered-domain' as const,
      name: unsafeText(setting.domain),
      action: describeSetting(setting),
      setting: setting.kind,
      reason: unread,
    };
    results.push(
      blocked === undefined
        ? await attempt(run, doing, () => apply(run, setting))
        : skip(run, doing, blocked),
    );
  }
  return results;
}
