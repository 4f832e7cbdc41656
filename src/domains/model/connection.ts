import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import { type SafeText, safe, shorten } from '../../kernel/text/safe.ts';
import type { DeclaredConnection } from './declared.ts';
import type { Sanitize } from './dns/record.ts';
import { assignedTo } from './domain-state.ts';

/** One write on a connected domain. */
export type ConnectionAction = 'connect' | 'assign' | 'clear';

/** What is to be done about one declared connected domain. */
export interface ConnectionPlan {
  declared: DeclaredConnection;
  /** The domain as the service showed it; absent if it is not connected. */
  observed?: ConnectedDomain;
  /** The writes, in order. Empty: nothing is to be done. */
  actions: readonly ConnectionAction[];
  /** Why, for a person. */
  reason: SafeText;
}

/** The most characters that are shown of a project's id, which is the service's word. */
const longestId = 100;

/**
 * Plans one connected domain. A new one is connected first and assigned last, once its records are there.
 *
 * @param sanitize makes outside text printable and free of secrets
 */
export function planConnection(
  declared: DeclaredConnection,
  domains: readonly ConnectedDomain[],
  sanitize: Sanitize,
): ConnectionPlan {
  const { hostname, projectId } = declared;
  const observed = domains.find((domain) => domain.hostname.toLowerCase() === hostname);
  if (observed === undefined) {
    const actions = typeof projectId === 'string' ? ['connect', 'assign'] : ['connect'];
    return { declared, actions: actions as ConnectionAction[], reason: safe`not connected yet` };
  }
  const current = assignedTo(observed);
  const now =
    current === undefined
      ? safe`assigned to no project`
      : safe`assigned to ${shorten(sanitize(current), longestId)}`;
  const plan = (actions: readonly ConnectionAction[], reason: SafeText) => ({
    declared,
    observed,
    actions,
    reason,
  });
  if (projectId === undefined)
    return plan([], safe`connected, ${now}; its assignment is left alone`);
  if (projectId === null) return plan(current === undefined ? [] : ['clear'], now);
  return plan(current === projectId ? [] : ['assign'], now);
}
