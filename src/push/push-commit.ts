import { type RunCommit, type Sha, shaOf } from '../contract/commit.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import { type Host, type Step, Stop } from '../step/step.ts';
import type { Adopting, AdoptionFacts } from './adopt.ts';
import { defaultBranch, type PushIntent } from './intent.ts';
import { GitFailure } from './model/git-failure.ts';
import { describeNewBranch, describeRefusal, type Pushed, type PushResult } from './result.ts';

/** Pushes a run's commit to its project's repository. */
export interface Pusher {
  branch: string;
  /**
   * Pushes the commit, unless the branch already contains it.
   *
   * @param hasOnlyTemplate whether the service shows that the project contains only its template
   * @throws a `GitFailure`, or the signal's reason
   */
  push(host: Host, projectId: string, hasOnlyTemplate: () => Promise<boolean>): Promise<PushResult>;
}

interface PushRun extends Adopting {
  request: Adopting['request'] & { commit: RunCommit };
  report: { pushed?: boolean; keptTemplate?: SafeText };
}

/**
 * Pushes the commit to its project's repository, and logs the result.
 *
 * @returns true if it was pushed, false if the branch already had it
 * @throws Stop if git failed, or the push would remove commits that the branch may not lose
 */
export async function pushCommit(run: PushRun, pusher: Pusher): Promise<boolean> {
  const { host, request, projectId, report } = run;
  const commit = shaOf(request.commit);
  if (commit === undefined) throw new Error('a push without a commit');
  const hasOnlyTemplate = async () => await (await import('./adopt.ts')).hasOnlyTemplate(run);
  const result = await pusher.push(host, projectId, hasOnlyTemplate).catch((error: unknown) => {
    throw error instanceof GitFailure ? new Stop('failed', error.diagnostic) : error;
  });
  const branch = host.clean(pusher.branch);
  if (result.kind === 'refused') {
    throw new Stop('failed', describeRefusal(result, branch));
  }
  const isPushed = result.kind === 'pushed';
  report.pushed = isPushed;
  if (isPushed && result.kept !== undefined) report.keptTemplate = host.clean(result.kept);
  const text = isPushed
    ? safe`Pushed ${unsafeText(commit)} to ${branch} of the project's repository${describeFrom(result)}`
    : safe`${unsafeText(commit)} is already in ${branch} of the project's repository`;
  host.report({ type: 'note', text });
  if (isPushed && result.missing !== undefined) {
    host.report({ type: 'warning', diagnostic: describeNewBranch(result.missing, branch) });
  }
  return isPushed;
}

function describeFrom({ from, forced, kept }: Pushed): SafeText {
  if (from === null) return safe`, as a new branch`;
  const head = unsafeText(from);
  if (kept !== undefined) {
    return safe`; the template's commit ${head} is kept as the branch ${unsafeText(kept)}`;
  }
  return forced ? safe`, by force; its head was ${head}` : safe`, on top of ${head}`;
}

/** What pushes a commit. */
export function pusherFor(
  { branch, force, adopts, repositories }: Extract<PushIntent, { kind: 'push' }>,
  commit: Sha,
  values: AdoptionFacts['values'] & { 'git-token': string | undefined },
  { context, environment }: Pick<Step<unknown>, 'context' | 'environment'>,
): Pusher {
  const { 'git-token': token = '', 'github-token': gitHubToken = '' } = values;
  const { serverUrl, repository, clone, checkout, workspace, temp } = context;
  const github = { serverUrl, repository, ...(clone ?? { token: gitHubToken }) };
  // The checked out repository, or else the server that has the commit.
  const source = { workspace: checkout ?? workspace, github, temp };
  const adoption = { values, context, commit };
  return {
    branch: branch ?? defaultBranch,
    push: async (host, projectId, isUntouched) => {
      const address = repositories.get(projectId);
      if (address === undefined) throw new Error('a project that git-url was not read for');
      const project = { address, token };
      const [{ pushByGit }, { gitLines }] = await Promise.all([
        import('./git/push.ts'),
        import('./result.ts'),
      ]);
      const isNew = async () =>
        adopts === 'by-input' ||
        (await (await import('./adopt.ts')).mayAdopt(adoption, projectId, host));
      const adopting = adopts !== 'never' && {
        mayAdopt: async () => (await isNew()) && (await isUntouched()),
      };
      return await pushByGit(
        { commit, branch, force, project, ...source, ...adopting },
        {
          ...host,
          environment,
          report: (step) => host.report({ type: 'lines', entries: gitLines(step) }),
        },
      );
    },
  };
}
