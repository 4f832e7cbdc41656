import { type Claim, type ClaimSeal, readClaimLine } from '../../core/preview/claim.ts';
import { type Octokit, openOctokit } from '../../github/api.ts';
import { readOwnComment } from '../../github/comment.ts';
import { readDeploymentClaim } from '../../github/deployment.ts';
import { describeTrouble, type Permission } from '../../github/trouble.ts';
import type { WayIn } from '../action.ts';
import { accessOf } from '../recording/access.ts';
import { planLocations, type RecordingFacts } from '../recording/plan-recording.ts';

/** How long GitHub may take to say what we claimed, in milliseconds: a deploy waits for it. */
const longestQuestion = 5000;

/**
 * Reads what our records of a pull request say of its preview: our comment, or else our newest GitHub Deployment,
 * as far as the run keeps them. Only what was signed with our key counts. A record that cannot be read says nothing,
 * and a warning says why.
 */
export async function readClaim(
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
