import { type KeyValues, keysOf, runNumber } from '../frame/access.ts';
import type { Preflight } from '../frame/action.ts';
import type { RunContext } from '../github/runner.ts';
import type { PreviewRequest } from '../previews/preview.ts';
import { type SignedClaim, sealOf, type Taken } from '../records/model/claim.ts';
import type { RecordingFacts } from './plan-recording.ts';
import type { RecordingPlan } from './recorder.ts';

/** Can sign what a run takes; cannot where the name alone tells whose a preview's hostname is. */
export interface Signing {
  sign?: (taken: Taken) => SignedClaim;
}

/** A preview, and what is recorded of it. */
export interface Claimed extends Signing {
  preview: PreviewRequest | undefined;
  record: RecordingPlan;
}

/**
 * A preview and what is recorded of it, with what our records say so far of whose its hostname is.
 *
 * @param isAsked true if our deployment records are asked for more afterwards
 */
export async function withClaim(
  recording: RecordingFacts,
  preflight: Preflight,
  preview: PreviewRequest | undefined,
  record: RecordingPlan,
  isAsked: boolean,
): Promise<Claimed> {
  const { values, context, pullRequest } = recording;
  if (pullRequest === undefined || preview?.ownership.by !== 'record') return { preview, record };
  const seal = sealOf(keysOf(values).claim, context.repository, pullRequest.number);
  const { readClaim } = await import('./read-claim.ts');
  const { claim, endedUpTo, refused } = await readClaim(recording, preflight, seal, isAsked);
  // Why they cannot be written was told with why they cannot be read.
  const { comment, deployment, ...rest } = record;
  const kept = {
    ...rest,
    ...(comment && !refused.includes('comment') && { comment }),
    ...(deployment && !refused.includes('deployment') && { deployment }),
  };
  return {
    preview: { ...preview, ownership: { by: 'record', claim } },
    record: { ...kept, waits: true, ...(claim && { claim: seal.sign(claim) }) },
    // Above the last end, also where a run of a lower number is repeated after it.
    sign: (taken) =>
      seal.sign({ ...taken, run: Math.max(runNumber(context), endedUpTo(taken.hostname) + 1) }),
  };
}

/** The address of a run, and in it our signature that it has ended a claim, for later runs to believe. */
export function claimEndUrl(
  values: KeyValues,
  context: RunContext,
  { claim: { hostname, run }, number }: { claim: SignedClaim; number: number },
): string {
  const seal = sealOf(keysOf(values).claim, context.repository, number);
  return `${context.runUrl}${seal.signEnd(hostname, Math.max(run, runNumber(context)))}`;
}
