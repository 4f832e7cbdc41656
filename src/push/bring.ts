import type { Commit } from '../contract/commit.ts';
import { EarlyEnd } from '../frame/host.ts';
import { type Diagnostic, reword } from '../kernel/diagnostic.ts';
import { type SafeText, safe, trusted } from '../kernel/text/safe.ts';
import type { Adopting } from './adopt.ts';
import type { Bringing } from './bringing.ts';
import { type Brought, describeRefusal } from './model/brought.ts';
import { GitFailure } from './model/failure.ts';

/** A run that brings its commit. */
interface BringingRun extends Adopting {
  request: Adopting['request'] & { commit: Commit };
  found(known: { pushed: boolean; keptTemplate?: SafeText }): void;
}

/**
 * Brings the commit to its project's repository, and says what became of it.
 *
 * @returns true if it was pushed, false if it was there
 * @throws EarlyEnd if it is not there: git failed, or the branch has commits that this one lacks and may not lose
 */
export async function bringCommit(run: BringingRun, bringing: Bringing): Promise<boolean> {
  const { host, request, projectId, found } = run;
  const { commit } = request;
  const isUntouched = async () => await (await import('./adopt.ts')).isUntouched(run);
  const brought = await bringing.bring(host, projectId, isUntouched).catch((error: unknown) => {
    throw error instanceof GitFailure ? notDeployed(error.diagnostic) : error;
  });
  const branch = host.clean(bringing.branch);
  if (brought.kind === 'refused') {
    throw notDeployed(describeRefusal(brought, branch));
  }
  const pushed = brought.kind === 'pushed';
  const kept = pushed ? brought.kept : undefined;
  found({ pushed, ...(kept !== undefined && { keptTemplate: host.clean(kept) }) });
  const told = pushed
    ? safe`Pushed ${trusted(commit)} to ${branch} of the project's repository${describeFrom(brought)}`
    : safe`${trusted(commit)} is in ${branch} of the project's repository already`;
  host.report({ type: 'note', text: told });
  return pushed;
}

const notDeployed = (why: Diagnostic) =>
  new EarlyEnd(
    'failed',
    reword(why, (text) => safe`Nothing was deployed. ${text}`),
  );

/** What the branch was before. */
function describeFrom({ from, forced, kept }: Extract<Brought, { kind: 'pushed' }>): SafeText {
  if (from === null) return safe`, as a new branch`;
  const head = trusted(from);
  if (kept !== undefined) {
    return safe`, in place of its template, whose commit ${head} is kept as the branch ${trusted(kept)}`;
  }
  return forced ? safe`, by force: its head was ${head}` : safe`, on top of ${head}`;
}
