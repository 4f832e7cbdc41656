import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import { clearDomain, ensureAssigned } from '../../domains/assign-domain.ts';
import { assignedTo } from '../../domains/evaluate.ts';
import type { Run } from '../../step/step.ts';
import type { HostnameMatcher } from './model/preview-hostname.ts';

/** A request to lease one of some projects for a pull request. */
interface LeaseRequest {
  hostname: string;
  projects: readonly string[];
  matcher: HostnameMatcher;
  /** True if a project that also serves other domains must not be leased. */
  guarded: boolean;
  /** Throws if the hostname must not be moved from its current project. */
  guard(current: ConnectedDomain | undefined): void;
}

/** A leased project, and whether this run has leased it; or the hostnames that use all of them. */
export type Lease = { projectId: string; isNew: boolean } | { holders: readonly string[] };

/** The number of checks for a rival to release the project, and for any project to become free. */
const maxChecks = { rival: 10, none: 6 };
const pause = 500;

/**
 * Leases one of some projects for a pull request, by assigning its hostname: that is the lease, so nothing else is stored.
 * A pull request that has leased one keeps it.
 *
 * A project is leased only when a check *after* our own assignment shows no rival. Of two pull requests that took the same
 * project, the one with the lower hostname waits for the other to release it. Both can never lease it: each would have had
 * to check before the other's assignment and after its own.
 */
export async function leaseProject(run: Run, request: LeaseRequest): Promise<Lease> {
  const { client, host } = run;
  const { hostname, projects, guard } = request;
  const pauseBriefly = () => host.clock.sleep(pause * (1 + host.random()), host.signal);
  let operations = 0;
  const writing: Run = {
    ...run,
    // The same assignment may be made twice in one run, which needs two idempotency keys.
    keyFor: (operation, target) => {
      operations += 1;
      return run.keyFor(operation, `${target} ${operations}`);
    },
  };
  /** Projects that were given up because a rival did not release them. */
  const avoided = new Set<string>();
  let isNew = false;
  let waits = 0;
  let failedTries = 0;
  for (;;) {
    const domains = await client.listConnectedDomains();
    const current = domains.find((domain) => domain.hostname === hostname);
    guard(current);
    const assigned = current && assignedTo(current);
    const leased = projects.find((projectId) => projectId === assigned);
    const mayUse = (projectId: string) =>
      !avoided.has(projectId) && !isRefused(domains, projectId, request);
    if (leased !== undefined && mayUse(leased)) {
      const others = rivalsFor(domains, leased, request);
      if (others.length === 0) return { projectId: leased, isNew };
      if (others.every((other) => hostname < other)) {
        waits += 1;
        if (waits < maxChecks.rival) await pauseBriefly();
        else {
          avoided.add(leased);
          waits = 0;
        }
        continue;
      }
    }
    const free = rotated(projects, hostname).find(
      (projectId) =>
        projectId !== leased &&
        mayUse(projectId) &&
        rivalsFor(domains, projectId, request).length === 0,
    );
    if (free !== undefined) {
      await ensureAssigned(writing, { hostname, projectId: free, current });
      isNew = true;
      continue;
    }
    if (leased !== undefined) await clearDomain(writing, hostname);
    failedTries += 1;
    avoided.clear();
    if (failedTries >= maxChecks.none) {
      const holders = projects.flatMap((projectId) => rivalsFor(domains, projectId, request));
      return { holders: [...new Set(holders)].sort() };
    }
    await pauseBriefly();
  }
}

/** The other hostnames of our template that are assigned to a project. */
const rivalsFor = (
  domains: readonly ConnectedDomain[],
  projectId: string,
  { matcher, hostname: own }: LeaseRequest,
): string[] =>
  domains
    .filter((domain) => assignedTo(domain) === projectId)
    .map(({ hostname }) => hostname)
    .filter((hostname) => hostname !== own && matcher.matches(hostname));

/** True if a project serves domains that are not previews, where this code must not be deployed. */
const isRefused = (
  domains: readonly ConnectedDomain[],
  projectId: string,
  { matcher, hostname: own, guarded }: LeaseRequest,
): boolean =>
  guarded &&
  domains.some(
    (domain) =>
      assignedTo(domain) === projectId &&
      domain.hostname !== own &&
      !matcher.matches(domain.hostname),
  );

/** Starts at a different project for each hostname, so that concurrent pull requests rarely take the same one. */
function rotated(projects: readonly string[], hostname: string): string[] {
  const start = [...hostname].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  const from = projects.length === 0 ? 0 : start % projects.length;
  return [...projects.slice(from), ...projects.slice(0, from)];
}
