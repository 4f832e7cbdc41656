import { type KeyValues, keysOf, runNumber } from '../frame/access.ts';
import type { Preflight } from '../frame/action.ts';
import { type SignedClaim, sealOf, type Taken } from '../github-api/model/claim.ts';
import type { RunContext } from '../platform.ts';
import type { PreviewRequest } from '../previews/preview.ts';
import type { RecordingFacts } from './plan-recording.ts';
import type { RecordingPlan } from './recorder.ts';

/** Signs a run's claim; absent if the hostname alone shows whose preview it is. */
export interface Signing {
  sign?: (taken: Taken) => SignedClaim;
}

/** A preview and its records, with what its claim needs. */
export interface Claimed extends Signing {
  preview: PreviewRequest | undefined;
  record: RecordingPlan;
}

/**
 * A preview and what is recorded of it, with the current claim of its hostname.
 *
 * @param isNeeded true if the GitHub Deployments are read again later
 */
export async function withClaim(
  recording: RecordingFacts,
  preflight: Preflight,
  preview: PreviewRequest | undefined,
  record: RecordingPlan,
  isNeeded: boolean,
): Promise<Claimed> {
  const { values, context, pullRequest } = recording;
  if (pullRequest === undefined || preview?.ownership.by !== 'record') return { preview, record };
  const seal = sealOf(keysOf(values).claim, context.repository, pullRequest.number);
  const { readClaim } = await import('./read-claim.ts');
  const { claim, endedUpTo, refused } = await readClaim(recording, preflight, seal, isNeeded);
  // Why they can't be written was reported with why they can't be read.
  const { comment, deployment, ...rest } = record;
  const kept = {
    ...rest,
    ...(comment && !refused.includes('comment') && { comment }),
    ...(deployment && !refused.includes('deployment') && { deployment }),
  };
  return {
    preview: { ...preview, ownership: { by: 'record', claim } },
    record: { ...kept, waits: true, ...(claim && { claim: seal.sign(claim) }) },
    // Above the last end, also if a run with a lower number is rerun after it.
    sign: (taken) =>
      seal.sign({ ...taken, run: Math.max(runNumber(context), endedUpTo(taken.hostname) + 1) }),
  };
}

/** The URL of a run with the signature that it has ended a claim, for later runs. */
export function claimEndUrl(
  values: KeyValues,
  context: RunContext,
  { claim: { hostname, run }, number }: { claim: SignedClaim; number: number },
): string {
  const seal = sealOf(keysOf(values).claim, context.repository, number);
  return `${context.runUrl}${seal.signEnd(hostname, Math.max(run, runNumber(context)))}`;
}
