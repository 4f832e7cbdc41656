import { describeRefusal } from '../../core/git/brought.ts';
import { type SafeText, safe, trusted } from '../../core/text/safe.ts';
import { EarlyEnd } from '../host.ts';
import type { Bringing, Deploying } from './context.ts';

/**
 * Brings the commit to its project's repository, and says what became of it.
 *
 * @returns true if it was pushed, false if it was there
 * @throws EarlyEnd if the branch has commits that this one lacks, and may not lose them
 */
export async function bringCommit(
  { host, request, projectId, found }: Deploying,
  bringing: Bringing,
): Promise<boolean> {
  const { commit } = request;
  const brought = await bringing.bring(host, projectId);
  const branch = host.clean(bringing.branch);
  if (brought.kind === 'refused') {
    // What git said of the commits is sanitized where it is read.
    const refusal = trusted(describeRefusal(brought, branch));
    throw new EarlyEnd('failed', safe`Nothing was deployed. ${refusal}`);
  }
  const pushed = brought.kind === 'pushed';
  found({ pushed });
  const told = pushed
    ? safe`Pushed ${trusted(commit)} to ${branch} of the project's repository${describeFrom(brought)}`
    : safe`${trusted(commit)} is in ${branch} of the project's repository already`;
  host.report({ type: 'note', text: told });
  return pushed;
}

/** What the branch was before. */
function describeFrom({ from, forced }: { from: string | null; forced: boolean }): SafeText {
  if (from === null) return safe`, as a new branch`;
  const head = trusted(from);
  return forced ? safe`, by force: its head was ${head}` : safe`, on top of ${head}`;
}
