import pLimit from 'p-limit';
import type { RegisteredDomain } from '../contract/registered-domain.ts';
import type { Hostname } from '../contract/safe-text.ts';
import { printed } from '../kernel/diagnostic.ts';
import { type SafeText, safe } from '../kernel/text/safe.ts';
import { ServiceError } from '../service/errors.ts';
import { createSameAs, explainError, type SameAs } from '../step/run-outcome.ts';
import type { Run } from '../step/step.ts';
import { assignDomain, clearDomain, connectDomain } from './assign-domain.ts';
import { fullName, isInZone } from './dns/name.ts';
import type { KnownDomains } from './follow-verification.ts';
import {
  type ConnectionAction,
  type ConnectionPlan,
  type DomainsPlan,
  describeSetting,
  type NamedZone,
  type Setting,
} from './plan.ts';
import { type ChangeResult, changeLines } from './result.ts';
import { writeRecord, type Zone } from './write-record.ts';

/** How many domains are processed at once. */
export const concurrency = 6;

/** A run that applies a plan of domains. */
interface Applying extends Run {
  /** Shortens the reason of a failure that was already logged. */
  sameAs: SameAs;
}

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
  const connected = await limit.map(connections, (plan) =>
    applyConnection(run, plan, ['connect'], current),
  );
  const written = await limit.map(zones, (zone) => applyZone(run, zone));
  const broken = zones.filter((_, index) => written[index]?.some(isNotMade));
  const blockOf = (name: string) => {
    const zone = broken.find(({ domain }) => isInZone(domain, name));
    return zone === undefined
      ? undefined
      : safe`a DNS record of ${zone.domain} could not be written`;
  };
  const assigned = await limit.map(connections, (plan) =>
    applyConnection(run, plan, ['assign', 'clear'], current, blockOf(plan.declared.hostname)),
  );
  const byDomain = [...Map.groupBy(settings, ({ domain }) => domain)];
  const set = await limit.map(byDomain, ([domain, some]) =>
    applySettings(run, some, blockOf(domain)),
  );
  return [...connected, ...written, ...assigned, ...set].flat();
}

/**
 * Makes one change of a connected domain, if it is planned. Connecting is the first step, because verification takes
 * longest; assigning the domain, or clearing its assignment, is the last.
 *
 * @param blocked why it is skipped; undefined if it is not
 */
async function applyConnection(
  run: Applying,
  { declared: { hostname, projectId }, reason, actions }: ConnectionPlan,
  step: readonly ConnectionAction[],
  current: KnownDomains,
  blocked?: SafeText,
): Promise<ChangeResult[]> {
  const action = actions.find((one) => step.includes(one));
  if (action === undefined) return [];
  const doing = { resource: 'connected-domain', name: hostname, action, reason } as const;
  const known = current.get(hostname);
  const isMissing = action !== 'connect' && known === undefined;
  const why = isMissing ? safe`the domain was not connected` : blocked;
  const result = await attempt(run, doing, why, async () => {
    if (action === 'connect') current.set(hostname, await connectDomain(run, { hostname }));
    else if (typeof projectId !== 'string') current.set(hostname, await clearDomain(run, hostname));
    else current.set(hostname, await assignDomain(run, { hostname, projectId, current: known }));
    return undefined;
  });
  const isTried = action !== 'connect' && why === undefined;
  if (isTried && isNotMade(result)) await readAgain(run, hostname, current);
  return [result];
}

/** Reads a domain again after a failed assignment; if that fails too, the known state stays. */
async function readAgain(
  { client, host }: Run,
  hostname: Hostname,
  current: KnownDomains,
): Promise<void> {
  if (host.signal.aborted) return;
  try {
    current.set(hostname, await client.readConnectedDomain(hostname, false));
  } catch (error) {
    host.report({
      type: 'note',
      text: safe`Could not read ${hostname} again. ${printed(explainError(error, host.clean))}`,
    });
  }
}

/** Writes one domain's records in sequence, until one fails. */
async function applyZone(run: Applying, { domain, plan }: NamedZone): Promise<ChangeResult[]> {
  const observed = [...plan.managed, ...plan.undeclared].concat(
    plan.records.flatMap((one) => ('observed' in one ? [one.observed] : [])),
  );
  const known = new Set(observed.flatMap(({ id }) => (id ? [id] : [])));
  const zone: Zone = { ...run, domain, known };
  const results: ChangeResult[] = [];
  for (const record of plan.records) {
    if (record.action === 'none') continue;
    const { title: name, action, reason } = record;
    const doing = { resource: 'dns-record' as const, name, action, reason };
    const last = results.at(-1);
    const isBlocked = last !== undefined && isNotMade(last);
    const why = isBlocked ? safe`an earlier record of ${domain} failed` : undefined;
    results.push(await attempt(run, doing, why, () => writeRecord(zone, record)));
  }
  return results;
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
      name: setting.domain,
      action: describeSetting(setting),
      setting: setting.kind,
      reason: safe`set on every run, because the service doesn't report it`,
    };
    results.push(await attempt(run, doing, blocked, () => applySetting(run, setting)));
  }
  return results;
}

/** A 409 to a binding may mean that it is already in place. */
const refused = safe`the service returned 409 (conflict). The domain may already be bound to this project, or to another one. Check it on the service`;
const unanswered = safe`there was no usable response. It may be set: check it on the service`;
const otherwise = safe`the service accepted it, but reports another value. Check it on the service`;
const unshown = safe`the service accepted it, but the response doesn't show it. Check it on the service`;

/**
 * Sends the setting, and once more if the response does not confirm it: settings can't be read, and setting one twice
 * is harmless.
 */
async function applySetting(run: Run, setting: Setting) {
  const first = await trySet(run, setting, '');
  if (first === undefined) return undefined;
  // Repeating a request that was refused would not help.
  const reason = first === refused ? first : await trySet(run, setting, ', repeated');
  return reason && { outcome: 'unconfirmed' as const, reason };
}

/** Sends the setting once. Returns why it may not be in place; undefined if the response confirms it. */
async function trySet(run: Run, setting: Setting, suffix: string): Promise<SafeText | undefined> {
  try {
    const shown = confirms(setting, await sendSetting(run, setting, suffix));
    if (shown === true) return undefined;
    return shown === false ? otherwise : unshown;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const isRefused = error.status === 409;
    if (error.effect === 'done' || (isRefused && error.mayHaveArrived)) return unanswered;
    if (isRefused && setting.kind === 'project') return refused;
    throw error;
  }
}

/** Sends the setting. Each attempt has its own idempotency key, so that the service doesn't replay a response. */
async function sendSetting(
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
function confirms({ domain, kind, value }: Setting, answer: RegisteredDomain): boolean | undefined {
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

/**
 * Does one write, or skips it, and logs its result; a failure does not stop the others.
 *
 * @param blocked why it is skipped; undefined if it is not
 * @param work returns what differs from the planned result
 */
async function attempt(
  { host, sameAs }: Applying,
  doing: Omit<ChangeResult, 'outcome'>,
  blocked: SafeText | undefined,
  work: () => Promise<Partial<Pick<ChangeResult, 'outcome' | 'reason'>> | undefined>,
): Promise<ChangeResult> {
  const conclude = (end: Pick<ChangeResult, 'outcome'> & Partial<ChangeResult>): ChangeResult => {
    const result = { ...doing, ...end };
    host.report({ type: 'lines', entries: changeLines(result) });
    return result;
  };
  if (blocked !== undefined) return conclude({ outcome: 'not-reached', reason: blocked });
  try {
    return conclude({ outcome: 'done', ...(await work()) });
  } catch (error) {
    if (host.signal.aborted) {
      const reason = safe`the run ended before this was confirmed`;
      return conclude({ outcome: 'not-reached', reason });
    }
    const repeated = sameAs(doing.name, error);
    if (repeated !== undefined) return conclude({ outcome: 'failed', reason: repeated });
    const cause = explainError(error, host.clean);
    return conclude({ outcome: 'failed', reason: printed(cause), cause });
  }
}

/** True if the change was not made. */
const isNotMade = ({ outcome }: ChangeResult): boolean =>
  outcome === 'failed' || outcome === 'not-reached';
