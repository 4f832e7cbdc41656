import { type Claim, type ClaimSeal, readClaimLine } from '../../core/preview/claim.ts';
import { type Octokit, openOctokit } from '../../github/api.ts';
import { readOwnComment } from '../../github/comment.ts';
import { readDeploymentClaim } from '../../github/deployment.ts';
import { describeTrouble, isLasting, type Permission } from '../../github/trouble.ts';
import type { WayIn } from '../action.ts';
import { accessOf } from '../recording/access.ts';
import { planLocations, type RecordingFacts } from '../recording/plan-recording.ts';

/** How long GitHub may take to say what we claimed, in milliseconds: a deploy waits for it. */
const longestQuestion = 5000;

/** What was read, and which of the records can be neither read nor written, as was told. */
export interface ReadClaim {
  claim: Claim | undefined;
  refused: readonly ('comment' | 'deployment')[];
}

/**
 * Reads what our records of a pull request say of its preview: our comment, or else our newest GitHub Deployment,
 * as far as the run keeps them. Only what was signed with our key counts. A record that cannot be read says nothing,
 * and a warning says why.
 *
 * @param isAsked true if our deployment records are asked for more afterwards, which tells why that fails
 */
export async function readClaim(
  recording: RecordingFacts,
  { signal, warn }: WayIn,
  seal: ClaimSeal,
  isAsked: boolean,
): Promise<ReadClaim> {
  const { comment, deployment } = planLocations(recording);
  const access = accessOf(recording.values, recording.context);
  const refused: ReadClaim['refused'][number][] = [];
  const ask = async (
    what: ReadClaim['refused'][number],
    permission: Permission,
    read: (octokit: Octokit) => Promise<unknown>,
  ) => {
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(longestQuestion)]);
      return seal.open(await read(await openOctokit(access, limit)));
    } catch (error) {
      signal.throwIfAborted();
      if (what === 'deployment' && isAsked && isLasting(error)) return undefined;
      warn(describeTrouble("read our record of the preview's hostname", error, permission));
      if (isLasting(error)) refused.push(what);
      return undefined;
    }
  };
  const commented =
    comment &&
    (await ask('comment', 'pull-requests: write', async (octokit) =>
      readClaimLine((await readOwnComment(octokit, comment)) ?? ''),
    ));
  const deployed =
    commented === undefined && deployment !== undefined
      ? await ask('deployment', 'deployments: write', (octokit) =>
          readDeploymentClaim(octokit, deployment),
        )
      : undefined;
  return { claim: commented ?? deployed, refused };
}
