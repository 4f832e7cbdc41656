import type { RegisteredDomain } from '../contract/registered-domain.ts';
import type { Run } from '../frame/run.ts';
import { type SafeText, safe, trusted } from '../kernel/text/safe.ts';
import { ServiceError } from '../service/errors.ts';
import { type Applying, attempt, skip } from './context.ts';
import { fullName } from './model/dns/name.ts';
import type { ChangeResult } from './model/domains-report.ts';
import type { Setting } from './model/plan-domains.ts';

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
    const name = trusted(domain);
    const doing = { resource: 'registered-domain' as const, name, action, reason: unread };
    results.push(
      blocked === undefined
        ? await attempt(run, doing, () => apply(run, setting))
        : skip(run, doing, blocked),
    );
  }
  return results;
}
