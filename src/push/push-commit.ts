import type { Commit } from '../contract/commit.ts';
import { EarlyEnd } from '../frame/host.ts';
import { type Diagnostic, reword } from '../kernel/diagnostic.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import type { Adopting } from './adopt.ts';
import { GitFailure } from './model/git-failure.ts';
import { describeRefusal, type PushResult } from './model/push-result.ts';
import type { Pusher } from './pusher.ts';

/** A run that brings its commit. */
interface PushRun extends Adopting {
  request: Adopting['request'] & { commit: Commit };
  found(known: { pushed: boolean; keptTemplate?: SafeText }): void;
}

/**
 * Brings the commit to its project's repository, and says what became of it.
 *
 * @returns true if it was pushed, false if it was there
 * @throws EarlyEnd if it is not there: git failed, or the branch has commits that this one lacks and may not lose
 */
export async function pushCommit(run: PushRun, bringing: Pusher): Promise<boolean> {
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
    ? safe`Pushed ${unsafeText(commit)} to ${branch} of the project's repository${describeFrom(brought)}`
    : safe`${unsafeText(commit)} is in ${branch} of the project's repository already`;
  host.report({ type: 'note', text: told });
  return pushed;
}

const notDeployed = (why: Diagnostic) =>
  new EarlyEnd(
    'failed',
    reword(why, (text) => safe`Nothing was deployed. ${text}`),
  );

/** What the branch was before. */
function describeFrom({ from, forced, kept }: Extract<PushResult, { kind: 'pushed' }>): SafeText {
  if (from === null) return safe`, as a new branch`;
  const head = unsafeText(from);
  if (kept !== undefined) {
    return safe`, in place of its template, whose commit ${head} is kept as the branch ${unsafeText(kept)}`;
  }
  return forced ? safe`, by force: its head was ${head}` : safe`, on top of ${head}`;
}
