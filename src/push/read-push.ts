import { type RunCommit, shaOf } from '../contract/commit.ts';
import type { Step } from '../frame/step.ts';
import { type DeployTarget, previewProjects } from '../frame/target.ts';
import { namesOf } from '../inputs/input.ts';
import type { Values } from '../inputs.ts';
import type { Code } from '../kernel/code.ts';
import type { Problem } from '../kernel/diagnostic.ts';
import type { RunContext } from '../platform.ts';
import { pushInputs } from './inputs.ts';
import { branchProblem, defaultBranch, forceOf, type PushIntent } from './intent.ts';
import { isSameRepository, type ProjectRepositories, readGitUrl } from './model/git-url.ts';
import type { Pusher } from './push-commit.ts';

const rule = [
  ...namesOf(pushInputs),
  'github-token',
  'allow-production',
  'deploy',
  'project-id',
  'preview-projects',
  'api-key',
  'env-ledger-key',
  'github-deployment',
] as const;
type GitValues = Pick<Values<'deploy'>, (typeof rule)[number]>;

/** Whether the commit is pushed, and what pushes it. */
export interface ReadPush {
  push: PushIntent;
  /** Absent if nothing is pushed. */
  pusher?: Pusher;
}

interface Facts {
  target: DeployTarget | undefined;
  /** True if the run is for a pull request. */
  isAboutPullRequest: boolean;
  /** Undefined if it is unknown. */
  commit: RunCommit | undefined;
}

/**
 * Reads `git-url` in the same way for every event, so that a push already shows a mistake that affects only pull requests
 * or another job's project.
 */
function readRepositories(
  values: GitValues,
  { serverUrl, repository }: RunContext,
): ReturnType<typeof readGitUrl> | undefined {
  const { 'git-url': url, 'preview-projects': leased = [] } = values;
  if (url === undefined) return undefined;
  const read = readGitUrl(url, previewProjects(values), leased);
  if ('problem' in read) return read;
  const own = `${serverUrl}/${repository}`;
  const isOwn = [...read.values()].some((address) => isSameRepository(address.url, own));
  return isOwn ? { problem: ownRepository } : read;
}

const ownRepository =
  "is this workflow's repository, so a pull request's commit would reach the branch unreviewed. Use the URL of the project's repository";

/** The mistakes in the inputs. */
function problemsOf(
  values: GitValues,
  repositories: ProjectRepositories | { problem: string } | undefined,
): Problem[] {
  const needsUrl = values['git-token'] !== undefined && repositories === undefined;
  const isRefused = repositories !== undefined && 'problem' in repositories;
  const checks: readonly (readonly [string, Code, string | false])[] = [
    ['git-url', 'SD1106', isRefused && repositories.problem],
    ['git-token', 'SD1101', needsUrl && 'needs git-url, which is empty'],
    ['git-branch', 'SD1107', branchProblem(values['git-branch'] ?? defaultBranch) ?? false],
  ];
  return checks.flatMap(([input, code, message]) =>
    message === false ? [] : [{ input, code, message }],
  );
}

/** Where the commit comes from: the checked out repository, or else the server that has it. */
function sourceOf(
  { serverUrl, repository, clone, checkout, workspace, temp }: RunContext,
  token: string,
) {
  const github = { serverUrl, repository, ...(clone ?? { token }) };
  return { github, workspace: checkout ?? workspace, temp };
}

/**
 * Reads the inputs for the push.
 *
 * @param problems collects the mistakes
 * @returns undefined if one of the inputs is wrong
 */
export function readPush(
  { inputs, context, environment }: Step<'deploy'>,
  { target, commit, isAboutPullRequest }: Facts,
  problems: Problem[],
): ReadPush | undefined {
  return inputs.with(rule, (values): ReadPush | undefined => {
    const {
      'git-branch': branch,
      'git-token': token = '',
      'github-token': gitHubToken = '',
    } = values;
    const repositories = readRepositories(values, context);
    problems.push(...problemsOf(values, repositories));
    if (repositories !== undefined && 'problem' in repositories) return undefined;
    if (!values.deploy || commit === undefined) return { push: { kind: 'none' } };
    if (repositories === undefined) return { push: { kind: 'no-url' } };
    const sha = shaOf(commit);
    if (sha === undefined) return { push: { kind: 'head' } };
    const source = sourceOf(context, gitHubToken);
    const isOwn = target?.kind === 'lease' && !values['allow-production'];
    const force = forceOf(values['git-force'], isOwn);
    const isUnmerged = isAboutPullRequest || context.event.kind === 'merge-group';
    // Only GitHub's records show that a project is new.
    const isAdoptable = context.can.recordsDeployments && !isOwn && !isUnmerged;
    const adopts = values['git-force'] === 'auto' && isAdoptable;
    const adoption = { values, context, commit: sha };
    const addressOf = (projectId: string) => repositories.get(projectId.toLowerCase())?.url;
    const pusher: Pusher = {
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
          { commit: sha, branch, force, project, ...source, ...adopting },
          {
            ...host,
            environment,
            report: (step) => host.report({ type: 'lines', entries: gitLines(step) }),
          },
        );
      },
    };
    return { push: { kind: 'push', branch, force, adopts, addressOf }, pusher };
  });
}
