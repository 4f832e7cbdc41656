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
