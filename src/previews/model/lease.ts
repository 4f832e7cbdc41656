import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import { assignedTo } from '../../domains/model/domain-state.ts';
import type { HostnameMatcher } from './hostname.ts';

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
