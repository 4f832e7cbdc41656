import { type KeyValues, keysOf, runNumber } from '../frame/access.ts';
import type { RunContext } from '../github/runner.ts';
import { type SignedClaim, sealOf } from '../records/model/claim.ts';

/** The address of a run, and in it our signature that it has ended a claim, for later runs to believe. */
export function claimEndUrl(
  values: KeyValues,
  context: RunContext,
  { claim: { hostname, run }, number }: { claim: SignedClaim; number: number },
): string {
  const seal = sealOf(keysOf(values).claim, context.repository, number);
  return `${context.runUrl}${seal.signEnd(hostname, Math.max(run, runNumber(context)))}`;
}
