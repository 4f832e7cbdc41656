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

/** The state of a lease between its steps. */
interface Leasing extends LeaseRequest {
  run: Run;
  avoided: Set<string>;
  hasTaken: boolean;
  waits: number;
  failedTries: number;
}

async function pauseBriefly({ run: { host } }: Leasing): Promise<void> {
  await host.clock.sleep(pause * (1 + host.random()), host.signal);
}

async function takeStep(leasing: Leasing): Promise<Lease | undefined> {
  const { run, hostname, projects, avoided } = leasing;
  const domains = await run.client.listConnectedDomains();
  const current = domains.find((domain) => domain.hostname === hostname);
  leasing.guard(current);
  const step: LeaseStep = nextLeaseStep({ ...leasing, domains });
  switch (step.kind) {
    case 'leased':
      return { projectId: step.projectId, isNew: leasing.hasTaken };
    case 'take':
      await ensureAssigned(run, { hostname, projectId: step.projectId, current });
      leasing.hasTaken = true;
      return undefined;
    case 'wait':
      leasing.waits += 1;
      if (leasing.waits >= maxChecks.rival) {
        avoided.add(step.projectId);
        leasing.waits = 0;
      } else await pauseBriefly(leasing);
      return undefined;
    case 'none': {
      const project = current && assignedTo(current);
      if (project !== undefined && projects.includes(project)) await clearDomain(run, hostname);
      leasing.failedTries += 1;
      avoided.clear();
      if (leasing.failedTries >= maxChecks.none) return { holders: step.holders };
      await pauseBriefly(leasing);
      return undefined;
    }
  }
}

/**
 * Leases one of some projects for a pull request, by assigning its hostname. A pull request that has leased one keeps it.
 */
export async function leaseProject(run: Run, request: LeaseRequest): Promise<Lease> {
  let operations = 0;
  const leasing: Leasing = {
    ...request,
    run: {
      ...run,
      // The same assignment may be made twice in one run, which needs two idempotency keys.
      keyFor: (operation, target) => {
        operations += 1;
        return run.keyFor(operation, `${target} ${operations}`);
      },
    },
    avoided: new Set(),
    hasTaken: false,
    waits: 0,
    failedTries: 0,
  };
  for (;;) {
    const lease = await takeStep(leasing);
    if (lease !== undefined) return lease;
  }
}

/** The next step of a lease. */
type LeaseStep =
  /** The project is leased. */
  | { kind: 'leased'; projectId: string }
  /** Assign our hostname to this project, and check again. */
  | { kind: 'take'; projectId: string }
  /** Another pull request took the same project at the same time, and must release it: check again. */
  | { kind: 'wait'; projectId: string }
  /** All projects are used by these hostnames. */
  | { kind: 'none'; holders: readonly string[] };

/** The state on which a step is decided. */
interface LeaseView {
  hostname: string;
  projects: readonly string[];
  domains: readonly ConnectedDomain[];
  matcher: HostnameMatcher;
  /** Projects that were given up because a rival did not release them. */
  avoided: ReadonlySet<string>;
  /** True if a project that also serves other domains must not be leased. */
  guarded: boolean;
}

/** The other hostnames of our template that are assigned to a project. */
function rivals({ domains, matcher, hostname }: LeaseView, projectId: string): string[] {
  return domains
    .filter((domain) => assignedTo(domain) === projectId && matcher.matches(domain.hostname))
    .map((domain) => domain.hostname)
    .filter((other) => other !== hostname);
}

/** True if a project serves domains that are not previews, where this code must not be deployed. */
function isRefused({ domains, matcher, hostname, guarded }: LeaseView, projectId: string): boolean {
  return (
    guarded &&
    domains.some(
      (domain) =>
        assignedTo(domain) === projectId &&
        domain.hostname !== hostname &&
        !matcher.matches(domain.hostname),
    )
  );
}

/** Starts at a different project for each hostname, so that concurrent pull requests rarely take the same one. */
function rotated(projects: readonly string[], hostname: string): string[] {
  const start = [...hostname].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  const from = projects.length === 0 ? 0 : start % projects.length;
  return [...projects.slice(from), ...projects.slice(0, from)];
}

/**
 * Decides the next step of a lease. The hostname's assignment is the lease, so nothing else is stored.
 *
 * A project is leased only when a check *after* our own assignment shows no rival. Of two pull requests that took the same
 * project, the one with the lower hostname waits for the other to release it. Both can never lease it: each would have had
 * to check before the other's assignment and after its own.
 */
function nextLeaseStep(view: LeaseView): LeaseStep {
  const { hostname, projects, domains, avoided } = view;
  const own = domains.find((domain) => domain.hostname === hostname);
  const leased = projects.find((projectId) => own !== undefined && assignedTo(own) === projectId);
  if (leased !== undefined && !avoided.has(leased) && !isRefused(view, leased)) {
    const others = rivals(view, leased);
    if (others.length === 0) return { kind: 'leased', projectId: leased };
    if (others.every((other) => hostname < other)) return { kind: 'wait', projectId: leased };
  }
  const free = rotated(projects, hostname).find(
    (projectId) =>
      projectId !== leased &&
      !avoided.has(projectId) &&
      !isRefused(view, projectId) &&
      rivals(view, projectId).length === 0,
  );
  if (free !== undefined) return { kind: 'take', projectId: free };
  const holders = projects.flatMap((projectId) => rivals(view, projectId));
  return { kind: 'none', holders: [...new Set(holders)].sort() };
}
