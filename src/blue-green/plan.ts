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

/** Which project serves, by the assignments alone. */
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
  // Before the first run has placed its preview, no move can have cleared an assignment.
  const isApart = holders.length > 1 || (isLoose && (live ?? marked) !== undefined);
  return isApart ? { kind: 'apart', holders, marked } : together(projects, live);
}

/** A project that may get the domains, and whether its checks pass; undefined: none could be run. */
export interface Candidate {
  project: string;
  holds: boolean | undefined;
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
  const [first, second] = [one.holds !== false, two.holds !== false];
  if (first !== second) return first ? one.project : two.project;
  const to = two.project === marked ? two : one;
  const from = to === one ? two : one;
  return first ? to.project : from.project;
}
