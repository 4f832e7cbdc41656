import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { releaseDomain } from '../domains/domain-writes.ts';
import { assignedTo } from '../domains/model/domain-state.ts';
import { placeDomain } from '../domains/place-domain.ts';
import type { Run } from '../frame/run.ts';
import type { HostnameMatcher } from './model/hostname.ts';
import { type LeaseStep, nextLeaseStep } from './model/lease.ts';

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
