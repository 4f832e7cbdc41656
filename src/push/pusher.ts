import type { Sha } from '../contract/commit.ts';
import type { Values } from '../inputs.ts';
import type { RunContext } from '../platform.ts';
import type { Step } from '../step/step.ts';
import { defaultBranch, type PushIntent } from './intent.ts';
import type { Pusher } from './push-commit.ts';

/** Where the commit comes from: the checked out repository, or else the server that has it. */
function sourceOf(
  { serverUrl, repository, clone, checkout, workspace, temp }: RunContext,
  token: string,
) {
  const github = { serverUrl, repository, ...(clone ?? { token }) };
  return { github, workspace: checkout ?? workspace, temp };
}

/** What pushes a commit. */
export function pusherFor(
  { branch, force, adopts, repositories }: Extract<PushIntent, { kind: 'push' }>,
  commit: Sha,
  values: Values<'deploy'>,
  { context, environment }: Step<'deploy'>,
): Pusher {
  const { 'git-token': token = '', 'github-token': gitHubToken = '' } = values;
  const source = sourceOf(context, gitHubToken);
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
      const adopting = adopts && {
        mayAdopt: async () => {
          const { mayAdopt } = await import('./may-adopt.ts');
          return (await mayAdopt(adoption, projectId, host)) && (await isUntouched());
        },
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
