import { type RunCommit, shaOf } from '../contract/commit.ts';
import { EarlyEnd, type Host } from '../frame/step.ts';

import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import type { Adopting } from './adopt.ts';
import { GitFailure } from './model/git-failure.ts';
import { describeNewBranch, describeRefusal, type PushResult } from './result.ts';

/** Pushes a run's commit to its project's repository. */
export interface Pusher {
  /** The target branch. */
  branch: string;
  /**
   * Pushes the commit, unless the branch already contains it.
   *
   * @param hasOnlyTemplate whether the service shows that the project contains only its template
   * @throws a `GitFailure`, or the signal's reason
   */
  push(host: Host, projectId: string, hasOnlyTemplate: () => Promise<boolean>): Promise<PushResult>;
}

/** A run that pushes its commit. */
interface PushRun extends Adopting {
  request: Adopting['request'] & { commit: RunCommit };
  report: { pushed?: boolean; keptTemplate?: SafeText };
}

/**
 * Pushes the commit to its project's repository, and logs the result.
 *
 * @returns true if it was pushed, false if the branch already had it
 * @throws EarlyEnd if git failed, or the push would remove commits that the branch may not lose
 */
export async function pushCommit(run: PushRun, pusher: Pusher): Promise<boolean> {
  const { host, request, projectId, report } = run;
  const commit = shaOf(request.commit);
  if (commit === undefined) throw new Error('a push without a commit');
  const hasOnlyTemplate = async () => await (await import('./adopt.ts')).hasOnlyTemplate(run);
  const result = await pusher.push(host, projectId, hasOnlyTemplate).catch((error: unknown) => {
    throw error instanceof GitFailure ? new EarlyEnd('failed', error.diagnostic) : error;
  });
  const branch = host.clean(pusher.branch);
  if (result.kind === 'refused') {
    throw new EarlyEnd('failed', describeRefusal(result, branch));
  }
  const pushed = result.kind === 'pushed';
  const kept = pushed ? result.kept : undefined;
  report.pushed = pushed;
  if (kept !== undefined) report.keptTemplate = host.clean(kept);
  const text = pushed
    ? safe`Pushed ${unsafeText(commit)} to ${branch} of the project's repository${describeFrom(result)}`
    : safe`${unsafeText(commit)} is already in ${branch} of the project's repository`;
  host.report({ type: 'note', text });
  if (pushed && result.missing !== undefined) {
    host.report({ type: 'warning', diagnostic: describeNewBranch(result.missing, branch) });
  }
  return pushed;
}

/** The branch's former head. */
function describeFrom({ from, forced, kept }: Extract<PushResult, { kind: 'pushed' }>): SafeText {
  if (from === null) return safe`, as a new branch`;
  const head = unsafeText(from);
  if (kept !== undefined) {
    return safe`; the template's commit ${head} is kept as the branch ${unsafeText(kept)}`;
  }
  return forced ? safe`, by force; its head was ${head}` : safe`, on top of ${head}`;
}
