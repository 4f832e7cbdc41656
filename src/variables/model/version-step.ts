/** How far one write moved a variable's version. */
export interface VersionStep {
  name: string;
  step: number;
}

/** The smallest step that a write of ours was seen to make, which is what one write makes. */
export function smallestStep(
  steps: readonly VersionStep[],
  known: number | undefined,
): number | undefined {
  const all = steps.map(({ step }) => step).concat(known ?? []);
  const positive = all.filter((step) => step > 0);
  return positive.length === 0 ? undefined : positive.reduce((a, b) => Math.min(a, b));
}

/**
 * The variables whose version moved further than one write moves it: somebody else's write came in between,
 * and the service took ours although it should have refused it (section "Environment variables": behaviour
 * when `expectedVersion` does not match is not shown). Where no two variables have the same version, the
 * service may count its versions in common, and nothing can be told.
 */
export function writtenOver(
  steps: readonly VersionStep[],
  known: number | undefined,
  versions: readonly number[],
): string[] {
  const one = smallestStep(steps, known);
  const inCommon = versions.length > 1 && new Set(versions).size === versions.length;
  if (one === undefined || inCommon) return [];
  return steps.filter(({ step }) => step > one).map(({ name }) => name);
}
