import { readOwnComment } from '../comments/comment.ts';
import { openThread } from '../comments/open-thread.ts';
import { accessOf } from '../frame/access.ts';
import type { Preflight } from '../frame/action.ts';
import { recordSealFor } from '../frame/record-seal.ts';
import { openOctokit } from '../github-api/client.ts';
import { readKeptClaims } from '../github-api/deployment-history.ts';
import { describeTrouble, isLasting, type Permission } from '../github-api/errors.ts';
import { type Claim, type ClaimSeal, readClaimLine } from '../github-api/model/claim.ts';
import { planLocations, type RecordingFacts } from './plan-recording.ts';

/** How long the claims may take to read, in milliseconds: the deployment waits for them. */
const longestQuestion = 5000;

type Record = 'comment' | 'deployment';

/** What was read, and which of the records can be neither read nor written, which was reported. */
interface ReadClaim {
  /** The newest claim that no close has ended. */
  claim: Claim | undefined;
  /** Up to which run the claims of a hostname were ended; -1 if none was. */
  endedUpTo: (hostname: string) => number;
  refused: readonly Record[];
}

/**
 * Reads the claims of a pull request's preview from the comment and the newest GitHub Deployments of this action, as far
 * as the run keeps them. Only claims signed with the same key count that no signed end follows. A claim without a run
 * number may also be ended without a signature. A record that can't be read is a warning, and does not count.
 *
 * @param isNeeded true if the GitHub Deployments are read again later, which reports a failure
 */
export async function readClaim(
  recording: RecordingFacts,
  { signal, warn }: Preflight,
  seal: ClaimSeal,
  isNeeded: boolean,
): Promise<ReadClaim> {
  const { values, context } = recording;
  const { comment, deployment } = planLocations(recording);
  const access = accessOf(values, context);
  const describe = access.comments?.describeTrouble ?? describeTrouble;
  const refused: Record[] = [];
  const query = async <Answer>(
    what: Record,
    permission: Permission,
    read: (limit: AbortSignal) => Promise<Answer>,
  ): Promise<Answer | undefined> => {
    try {
      return await read(AbortSignal.any([signal, AbortSignal.timeout(longestQuestion)]));
    } catch (error) {
      signal.throwIfAborted();
      if (what === 'deployment' && isNeeded && isLasting(error)) return undefined;
      warn(describe("read the record of the preview's hostname", error, permission));
      if (isLasting(error)) refused.push(what);
      return undefined;
    }
  };
  const [body, kept] = await Promise.all([
    comment &&
      query('comment', 'pull-requests: write', async (limit) =>
        readOwnComment(await openThread(access, comment.number, limit), comment),
      ),
    deployment &&
      query('deployment', 'deployments: write', async (limit) => {
        const octokit = await openOctokit(access, limit);
        return readKeptClaims(octokit, recordSealFor(values, context.repository), deployment);
      }),
  ]);
  const { claims = [], addresses = [] } = kept ?? {};
  const commented = { claim: readClaimLine(body ?? ''), isEnded: claims[0]?.isEnded === true };
  const endedUpTo = (hostname: string) =>
    Math.max(-1, ...addresses.flatMap((address) => seal.openEnd(hostname, address) ?? []));
  const open = [commented, ...claims].flatMap(({ claim: read, isEnded }) => {
    const claim = seal.open(read);
    if (claim === undefined || (claim.run === 0 && isEnded)) return [];
    return claim.run > endedUpTo(claim.hostname) ? [claim] : [];
  });
  const [claim] = open.toSorted((one, other) => other.run - one.run);
  return { claim, endedUpTo, refused };
}
