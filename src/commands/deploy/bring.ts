import { describeRefusal } from '../../core/git/brought.ts';
import { EarlyEnd } from '../host.ts';
import type { Bringing, Deploying } from './context.ts';

/**
 * Brings the commit to its project's repository, and says what became of it.
 *
 * @returns true if it was pushed, false if it was there
 * @throws EarlyEnd if the branch has commits that this one lacks, and may not lose them
 */
export async function bringCommit(
  { host, request, found }: Deploying,
  bringing: Bringing,
): Promise<boolean> {
  const { projectId, commit } = request;
  const brought = await bringing.bring(host, projectId);
  const branch = host.clean(bringing.branch);
  if (brought.kind === 'refused') {
    throw new EarlyEnd('failed', `Nothing was deployed. ${describeRefusal(brought, branch)}`);
  }
  const pushed = brought.kind === 'pushed';
  found({ pushed });
  const told = pushed
    ? `Pushed ${commit} to ${branch} of the project's repository${describeFrom(brought)}`
    : `${commit} is in ${branch} of the project's repository already`;
  host.report({ type: 'note', text: told });
  return pushed;
}

/** What the branch was before. */
function describeFrom({ from, forced }: { from: string | null; forced: boolean }): string {
  if (from === null) return ', as a new branch';
  return forced ? `, by force: its head was ${from}` : `, on top of ${from}`;
}
