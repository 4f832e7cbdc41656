import type { RegisteredDomain } from '../../contract/registered-domain.ts';
import type { Setting } from '../../core/domains/plan.ts';
import { ServiceError } from '../../service/errors.ts';
import { type Applying, attempt, mayBeDone, skip } from './context.ts';

const unread = 'how it is cannot be read, so it is set on each run';

/** What is said where the service answers 409: it may mean that all is well, and does not say so. */
const refused =
  'the service answered 409: it is likely so already, which it does not show. If it is not, change it at the service';

const unanswered =
  'the service may have taken it, and its answer was lost: look at the domain there';

/** Why a setting may be as it is wanted although its write failed; undefined if it is not. */
function doubtAbout({ kind }: Setting, error: unknown): string | undefined {
  const isRefused = error instanceof ServiceError && error.status === 409;
  if (isRefused && kind === 'project') return refused;
  return mayBeDone(error) ? unanswered : undefined;
}

async function set(
  { client, keyFor }: Applying,
  { domain, kind, value }: Setting,
): Promise<RegisteredDomain> {
  const idempotencyKey = keyFor(`set ${kind}`, `${domain} ${value}`);
  if (kind === 'renewal') {
    return await client.setRenewal(domain, { enabled: value === true, idempotencyKey });
  }
  return typeof value === 'string'
    ? await client.bindDomain(domain, { projectId: value, idempotencyKey })
    : await client.unbindDomain(domain, idempotencyKey);
}

/** Whether the service's answer shows the setting as it is wanted; undefined if it does not show it. */
function shows({ kind, value }: Setting, answer: RegisteredDomain): boolean | undefined {
  if (kind === 'renewal') {
    const shown = answer.autoRenew ?? answer.renewal?.autoRenew ?? undefined;
    return shown === undefined ? undefined : shown === value;
  }
  const bound = answer.boundProjectId ?? '';
  if (value === null) return bound === '';
  return bound === '' ? undefined : bound.toLowerCase() === String(value).toLowerCase();
}

async function apply(applying: Applying, setting: Setting) {
  try {
    const shown = shows(setting, await set(applying, setting));
    if (shown === true) return undefined;
    const reason =
      shown === false
        ? 'the service took it, and shows it otherwise: look at the domain there'
        : 'the service took it, and does not show it in its answer';
    return { outcome: 'unconfirmed' as const, reason };
  } catch (error) {
    const reason = doubtAbout(setting, error);
    if (reason === undefined) throw error;
    return { outcome: 'unconfirmed' as const, reason };
  }
}

/**
 * Sets what a registered domain must be: renewal, and the project that it is bound to.
 *
 * @param blocked why it must not be done; undefined if it may
 */
export async function applySetting(
  applying: Applying,
  setting: Setting,
  blocked: string | undefined,
): Promise<void> {
  const { domain: name, kind, wanted } = setting;
  const action = kind === 'renewal' ? `renewal ${wanted}` : wanted;
  const doing = { resource: 'registered-domain' as const, name, action, reason: unread };
  if (blocked !== undefined) return skip(applying, doing, blocked);
  await attempt(applying, doing, () => apply(applying, setting));
}
