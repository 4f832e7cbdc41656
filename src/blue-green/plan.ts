import {
  type CheckedSite,
  type ChecksRequest,
  type DeclaredCheck,
  fillCheck,
  type JsonScalar,
} from '../checks/intent.ts';
import { fillTemplate } from '../kernel/text/format.ts';

/** The page of `verify-url`, at a hostname; undefined if there is none. */
function pageAt({ declared, site }: ChecksRequest, hostname: string): URL | undefined {
  const page = declared.find(({ from }) => from === 'inputs');
  if (page === undefined || !('url' in page.at)) return undefined;
  const filled = { sha: site.commit ?? 'HEAD', 'preview-domain': hostname };
  return URL.parse(fillTemplate(page.at.url, filled)) ?? undefined;
}

/** The placeholders and origin of checks at a hostname, the value of `{preview-domain}`. */
function siteAt(checks: ChecksRequest, hostname: string): CheckedSite {
  const origin = pageAt(checks, hostname)?.origin ?? `https://${hostname}`;
  return { ...checks.site, hostname, origin };
}

/** The address with another hostname if it is at one of these. */
function transposed(url: URL, domains: readonly string[], hostname: string): URL {
  if (!domains.includes(url.hostname)) return url;
  const moved = new URL(url);
  moved.hostname = hostname;
  return moved;
}

/**
 * The checks before the move: those of a domain that moves, at the preview's domain.
 *
 * @param domains the domains that move
 * @param preview the preview's domain
 */
export function checksBefore(
  checks: ChecksRequest,
  domains: readonly string[],
  preview: string,
): ChecksRequest {
  const site = siteAt(checks, preview);
  const at = (one: DeclaredCheck): DeclaredCheck['at'] => {
    const filled = fillCheck(one, site);
    if ('path' in one.at || 'problem' in filled) return one.at;
    const url = transposed(filled.url, domains, preview);
    return url === filled.url ? one.at : { url: url.href };
  };
  const origin = URL.parse(site.origin ?? '');
  return {
    ...checks,
    declared: checks.declared.map((one) => ({ ...one, at: at(one) })),
    site: origin === null ? site : { ...site, origin: transposed(origin, domains, preview).origin },
  };
}

/** Equal for two checks with the same request and expectation. */
function keyOf(declared: DeclaredCheck, site: CheckedSite): string {
  const filled = fillCheck(declared, site);
  if ('problem' in filled) return JSON.stringify([declared, filled]);
  const { url, ...others } = filled;
  const rest: Record<string, JsonScalar | object> = { ...others };
  return JSON.stringify([url.href, rest]);
}

/** The checks at the domains themselves, in one group per hostname, without duplicates. */
export function checksAt(checks: ChecksRequest, domains: readonly string[]): ChecksRequest[] {
  const known = new Set<string>();
  return domains.flatMap((hostname) => {
    const site = siteAt(checks, hostname);
    const declared = checks.declared.filter((one) => {
      const key = keyOf(one, site);
      const isNew = !known.has(key);
      known.add(key);
      return isNew;
    });
    return declared.length === 0 ? [] : [{ ...checks, declared, site }];
  });
}

/** The checks at some domains that show whether their project works, whatever its commit is. */
export function checksOfProject(
  checks: ChecksRequest,
  domains: readonly string[],
): ChecksRequest[] {
  return checksAt(checks, domains).flatMap((group) => {
    const { declared, site } = group;
    const relevant = declared.filter((one) => {
      const filled = fillCheck(one, site);
      return !one.namesCommit && 'url' in filled && domains.includes(filled.url.hostname);
    });
    return relevant.length === 0 ? [] : [{ ...group, declared: relevant }];
  });
}

/** What the service shows of two projects and the domains that move between them. */
export interface SwapView {
  projects: readonly [string, string];
  /** Each connected domain that moves, with its project; undefined: none. One that is not connected is absent. */
  slots: ReadonlyMap<string, string | undefined>;
  /** The project that the preview's domain is assigned to; undefined: none. */
  preview: string | undefined;
}

/** Which of the two projects serves. */
export type Situation =
  /** These are assigned to a third project. */
  | { kind: 'foreign'; hostnames: readonly string[] }
  /** The domains are on different projects: a move was interrupted, or is running. */
  | {
      kind: 'apart';
      /** The projects that serve some, in the order in which they were given. */
      holders: readonly string[];
      /** The target of the move: the project of the preview's domain, which is assigned before the others move. */
      marked: string | undefined;
    }
  /** One project serves all that are assigned, or neither does any (then `live` is undefined). */
  | { kind: 'together'; live: string | undefined; idle: string };

const otherOf = ([one, two]: SwapView['projects'], project: string): string =>
  project === one ? two : one;

/** Where a run deploys to, once the domains are together: the project that serves none, or the first. */
export const together = (
  projects: SwapView['projects'],
  live: string | undefined,
): Extract<Situation, { kind: 'together' }> => ({
  kind: 'together',
  live,
  idle: live === undefined ? projects[0] : otherOf(projects, live),
});

/** Which project serves, by the assignments alone. */
export function readSituation({ projects, slots, preview }: SwapView): Situation {
  const isOwn = (project: string) => projects.includes(project);
  const foreign = [...slots].flatMap(([hostname, project]) =>
    project === undefined || isOwn(project) ? [] : [hostname],
  );
  if (foreign.length > 0) return { kind: 'foreign', hostnames: foreign };
  const slotted = [...slots.values()];
  const holders = projects.filter((project) => slotted.includes(project));
  const marked = preview !== undefined && isOwn(preview) ? preview : undefined;
  const [live] = holders;
  const isLoose = slotted.includes(undefined);
  // Before the first run has assigned its preview domain, no move can have cleared an assignment.
  const isApart = holders.length > 1 || (isLoose && (live ?? marked) !== undefined);
  return isApart ? { kind: 'apart', holders, marked } : together(projects, live);
}

/** A project that may get the domains, and whether its checks pass; undefined: none could be run. */
export interface Candidate {
  project: string;
  passes: boolean | undefined;
}

/**
 * Which project gets the domains of an interrupted move: the one whose checks pass. If both pass, or none could be run,
 * the target of the move, whose checks passed before it began; if both fail, the project that served before.
 *
 * @param marked the target of the move, if known
 */
export function chooseProject(
  [one, two]: readonly [Candidate, Candidate],
  marked: string | undefined,
): string {
  const [first, second] = [one.passes !== false, two.passes !== false];
  if (first !== second) return first ? one.project : two.project;
  const to = two.project === marked ? two : one;
  const from = to === one ? two : one;
  return first ? to.project : from.project;
}
