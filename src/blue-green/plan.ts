/** What the service shows of two projects and the domains that move between them. */
export interface SwapView {
  projects: readonly [string, string];
  /** Each connected domain that moves, with its project; undefined: none. One that is not connected is absent. */
  slots: ReadonlyMap<string, string | undefined>;
  /** The project that the preview's domain is assigned to; undefined: none. */
  preview: string | undefined;
}

/** How two projects and their domains stand. */
export type Situation =
  /** These are assigned to a third project. */
  | { kind: 'foreign'; hostnames: readonly string[] }
  /** A move was interrupted, or is under way: the domains are not together. */
  | {
      kind: 'apart';
      /** The projects that serve some, in the order in which they were given. */
      holders: readonly string[];
      /** Where the domains were being moved to, by the preview's domain, which is there before they are moved. */
      marked: string | undefined;
    }
  /** One project serves all that are assigned, or neither does any (then `live` is undefined). */
  | { kind: 'together'; live: string | undefined; idle: string };

/** The project of two that is not this one. */
export const otherOf = ([one, two]: SwapView['projects'], project: string): string =>
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

/** Reads how it stands. Nothing but the assignments says which project serves. */
export function readSituation({ projects, slots, preview }: SwapView): Situation {
  const isOurs = (project: string) => projects.includes(project);
  const foreign = [...slots].flatMap(([hostname, project]) =>
    project === undefined || isOurs(project) ? [] : [hostname],
  );
  if (foreign.length > 0) return { kind: 'foreign', hostnames: foreign };
  const slotted = [...slots.values()];
  const holders = projects.filter((project) => slotted.includes(project));
  const marked = preview !== undefined && isOurs(preview) ? preview : undefined;
  const [live] = holders;
  const isLoose = slotted.includes(undefined);
  // Before the first run has placed its preview, nobody can have cleared an assignment.
  const isApart = holders.length > 1 || (isLoose && (live ?? marked) !== undefined);
  return isApart ? { kind: 'apart', holders, marked } : together(projects, live);
}

/** A project that domains may be gathered on, and whether its checks hold there; undefined: none could be asked. */
export interface Candidate {
  project: string;
  holds: boolean | undefined;
}

/**
 * Where the domains of an interrupted move belong: on the project whose checks hold. If those of both hold, or there
 * are none that could tell, on the one that was being moved to, whose checks held before the move began; if neither's
 * do, on the one that was live before it.
 *
 * @param marked the project that was being moved to, as far as that is known
 */
export function chooseProject(
  [one, two]: readonly [Candidate, Candidate],
  marked: string | undefined,
): string {
  const [first, second] = [one.holds !== false, two.holds !== false];
  if (first !== second) return first ? one.project : two.project;
  const to = two.project === marked ? two : one;
  const from = to === one ? two : one;
  return first ? to.project : from.project;
}
