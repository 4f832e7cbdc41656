import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { assignedTo } from '../domains/evaluate.ts';
import { placeDomain, releaseDomain } from '../domains/place-domain.ts';
import type { Run } from '../frame/step.ts';
import type { HostnameMatcher } from './model/preview-hostname.ts';

/** A pull request that wants one of some projects for itself. */
export interface LeaseRequest {
  hostname: string;
  projects: readonly string[];
  matcher: HostnameMatcher;
  /** True if a project that also serves other domains must not be taken. */
  guarded: boolean;
  /** Throws if the hostname must not be moved from where it is seen. */
  guard(seen: ConnectedDomain | undefined): void;
}

/** A leased project, and whether it was leased just now; or who holds them all. */
export type Lease = { projectId: string; isNew: boolean } | { holders: readonly string[] };

/** How often a project is looked at for its other holder to leave, and how often for any to become free. */
const maxLooks = { rival: 10, none: 6 };
const pause = 500;

/** Looks, decides and acts, once. */
interface Leasing extends LeaseRequest {
  run: Run;
  avoided: Set<string>;
  hasTaken: boolean;
  waits: number;
  failedTries: number;
}

async function rest({ run: { host } }: Leasing): Promise<void> {
  await host.clock.sleep(pause * (1 + host.random()), host.signal);
}

async function act(leasing: Leasing): Promise<Lease | undefined> {
  const { run, hostname, projects, avoided } = leasing;
  const domains = await run.client.listConnectedDomains();
  const seen = domains.find((domain) => domain.hostname === hostname);
  leasing.guard(seen);
  const step: LeaseStep = nextLeaseStep({ ...leasing, domains });
  switch (step.kind) {
    case 'held':
      return { projectId: step.projectId, isNew: leasing.hasTaken };
    case 'take':
      await placeDomain(run, { hostname, projectId: step.projectId, seen });
      leasing.hasTaken = true;
      return undefined;
    case 'wait':
      leasing.waits += 1;
      if (leasing.waits >= maxLooks.rival) {
        avoided.add(step.projectId);
        leasing.waits = 0;
      } else await rest(leasing);
      return undefined;
    case 'none': {
      const current = seen && assignedTo(seen);
      if (current !== undefined && projects.includes(current)) await releaseDomain(run, hostname);
      leasing.failedTries += 1;
      avoided.clear();
      if (leasing.failedTries >= maxLooks.none) return { holders: step.holders };
      await rest(leasing);
      return undefined;
    }
  }
}

/**
 * Leases one of some projects for a pull request, by the assignment of its hostname. A pull request that
 * holds one keeps it.
 */
export async function leaseProject(run: Run, request: LeaseRequest): Promise<Lease> {
  let operations = 0;
  const leasing: Leasing = {
    ...request,
    run: {
      ...run,
      // The same assignment may be made twice in one run, and must not be taken for a repetition.
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
    const lease = await act(leasing);
    if (lease !== undefined) return lease;
  }
}

/** What a pull request should do next to have a project of its own. */
export type LeaseStep =
  /** The project is ours alone. */
  | { kind: 'held'; projectId: string }
  /** Assign our hostname to this project, and look again. */
  | { kind: 'take'; projectId: string }
  /** Another pull request took the same project in the same moment, and must leave it: look again. */
  | { kind: 'wait'; projectId: string }
  /** Every project is held by these hostnames. */
  | { kind: 'none'; holders: readonly string[] };

/** What a decision rests on: who we are, and what the service shows. */
export interface LeaseView {
  hostname: string;
  /** The projects to lease, in the order in which they are listed. */
  projects: readonly string[];
  domains: readonly ConnectedDomain[];
  matcher: HostnameMatcher;
  /** Projects that we gave up because their other holder did not leave. */
  avoided: ReadonlySet<string>;
  /** True if a project that also serves other domains must not be taken. */
  guarded: boolean;
}

/** The hostnames of our template that hold a project, but for our own. */
function rivals({ domains, matcher, hostname }: LeaseView, projectId: string): string[] {
  return domains
    .filter((domain) => assignedTo(domain) === projectId && matcher.matches(domain.hostname))
    .map((domain) => domain.hostname)
    .filter((other) => other !== hostname);
}

/** True if a project serves domains that are no previews, where the code must not go. */
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

/** Where in the list to begin, so that pull requests which come together seldom want the same. */
function rotated(projects: readonly string[], hostname: string): string[] {
  const start = [...hostname].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  const from = projects.length === 0 ? 0 : start % projects.length;
  return [...projects.slice(from), ...projects.slice(0, from)];
}

/**
 * Decides the next step of a lease. The lease is the assignment that the service shows, so nothing else has
 * to be kept.
 *
 * A project is held only when a look *after* our own assignment shows nobody else on it. Of two pull
 * requests that took the same, the one with the lower hostname waits for the other to leave. Both can then
 * never hold it: each would have had to look before the other's assignment and after its own.
 */
export function nextLeaseStep(view: LeaseView): LeaseStep {
  const { hostname, projects, domains, avoided } = view;
  const own = domains.find((domain) => domain.hostname === hostname);
  const held = projects.find((projectId) => own !== undefined && assignedTo(own) === projectId);
  if (held !== undefined && !avoided.has(held) && !isRefused(view, held)) {
    const others = rivals(view, held);
    if (others.length === 0) return { kind: 'held', projectId: held };
    if (others.every((other) => hostname < other)) return { kind: 'wait', projectId: held };
  }
  const free = rotated(projects, hostname).find(
    (projectId) =>
      projectId !== held &&
      !avoided.has(projectId) &&
      !isRefused(view, projectId) &&
      rivals(view, projectId).length === 0,
  );
  if (free !== undefined) return { kind: 'take', projectId: free };
  const holders = projects.flatMap((projectId) => rivals(view, projectId));
  return { kind: 'none', holders: [...new Set(holders)].sort() };
}
