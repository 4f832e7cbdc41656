import type { PreviewRequest } from '../../commands/preview/preview.ts';
import { type Claim, type ClaimSeal, readClaimLine, sealOf } from '../../core/preview/claim.ts';
import { type Octokit, openOctokit } from '../../github/api.ts';
import { readOwnComment } from '../../github/comment.ts';
import { readDeploymentClaim } from '../../github/deployment.ts';
import { describeTrouble, type Permission } from '../../github/trouble.ts';
import type { WayIn } from '../action.ts';
import { accessOf, keysOf } from '../recording/access.ts';
import { planLocations, type RecordingFacts } from '../recording/plan-recording.ts';
import type { RecordingPlan } from '../recording/recorder.ts';

/** How long GitHub may take to say what we claimed, in milliseconds: a deploy waits for it. */
const longestQuestion = 5000;

/** Can sign what a run takes; cannot where the name alone tells whose a preview's hostname is. */
export interface Signing {
  sign?: ClaimSeal['sign'];
}

/**
 * Reads what our records of a pull request say of its preview: our comment, or else our newest GitHub Deployment,
 * as far as the run keeps them. Only what was signed with our key counts. A record that cannot be read says nothing,
 * and a warning says why.
 */
async function readClaim(
  recording: RecordingFacts,
  { signal, warn }: WayIn,
  seal: ClaimSeal,
): Promise<Claim | undefined> {
  const { comment, deployment } = planLocations(recording);
  const access = accessOf(recording.values, recording.context);
  const ask = async (permission: Permission, read: (octokit: Octokit) => Promise<unknown>) => {
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(longestQuestion)]);
      return seal.open(await read(await openOctokit(access, limit)));
    } catch (error) {
      signal.throwIfAborted();
      warn(describeTrouble("read our record of the preview's hostname", error, permission));
      return undefined;
    }
  };
  const commented =
    comment &&
    (await ask('pull-requests: write', async (octokit) =>
      readClaimLine((await readOwnComment(octokit, comment)) ?? ''),
    ));
  const deployed =
    commented === undefined && deployment !== undefined
      ? await ask('deployments: write', (octokit) => readDeploymentClaim(octokit, deployment))
      : undefined;
  return commented ?? deployed;
}

/** A preview and what is recorded of it, with what our records say so far of whose its hostname is. */
export async function withClaim(
  recording: RecordingFacts,
  wayIn: WayIn,
  preview: PreviewRequest | undefined,
  record: RecordingPlan,
): Promise<{ preview: PreviewRequest | undefined; record: RecordingPlan } & Signing> {
  const { values, context, pullRequest } = recording;
  if (pullRequest === undefined || preview?.ownership.by !== 'record') return { preview, record };
  const seal = sealOf(keysOf(values).claim, context.repository, pullRequest.number);
  const claim = await readClaim(recording, wayIn, seal);
  return {
    preview: { ...preview, ownership: { by: 'record', claim } },
    record: { ...record, waits: true, ...(claim && { claim: seal.sign(claim) }) },
    sign: seal.sign,
  };
}
