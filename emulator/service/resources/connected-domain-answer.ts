import type { Dialect } from '../../dialect.ts';
import { applyDialect } from '../apply-dialect.ts';
import type { ConnectedDomain } from '../domains/connected-domain.ts';
import { instructionsFor } from '../domains/instructions.ts';

/** A connected domain as the service answers it (section "Connected domain"). */
export function describeDomain(domain: ConnectedDomain, dialect: Dialect): object {
  const { hostname, projectId, createdAt, statuses } = domain;
  const described = applyDialect(dialect, {
    hostname,
    ...statuses,
    instructions: instructionsFor(domain, dialect),
    dnsHost: dialect.hostileText ?? 'Example DNS',
    dcvDelegation: dialect.extraFields ? 'partial' : 'ok',
    createdAt,
  });
  return Object.assign({}, described, assignment(projectId, dialect));
}

/** A list of connected domains as the service answers it (section "Connected domains"). */
export function describeDomains(domains: readonly ConnectedDomain[], dialect: Dialect): object {
  const described = domains.map((domain) => describeDomain(domain, dialect));
  return Object.assign({ domains: described }, applyDialect(dialect, {}));
}

function assignment(projectId: string | null, { unassigned }: Dialect): { projectId?: unknown } {
  if (projectId !== null) return { projectId };
  if (unassigned === 'absent') return {};
  return { projectId: unassigned === 'null' ? null : '' };
}
