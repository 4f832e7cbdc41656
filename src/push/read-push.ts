import type { ValuesOf } from '../inputs/input.ts';
import type { Problem } from '../kernel/diagnostic.ts';
import type { RunContext } from '../platform.ts';
import type { pushInputs } from './inputs.ts';
import { type Adoption, forceOf, type PushIntent } from './intent.ts';
import { isSameRepository, readGitUrl } from './model/git-url.ts';

/** The inputs that a push is read from. */
interface PushValues extends ValuesOf<typeof pushInputs> {
  'project-id': string | undefined;
  'preview-projects': readonly string[] | undefined;
  deploy: boolean | 'if-needed';
  'allow-production': boolean;
}

const ownRepository =
  "is this workflow's repository, so a pull request's commit would reach the branch unreviewed. Use the URL of the project's repository";

/**
 * Reads `git-url` in the same way for every event, so that a push already shows a mistake that affects only pull requests
 * or another job's project.
 */
export function readRepositories(
  values: Pick<PushValues, 'git-url' | 'project-id' | 'preview-projects'>,
  { serverUrl, repository }: Pick<RunContext, 'serverUrl' | 'repository'>,
): ReturnType<typeof readGitUrl> | undefined {
  const { 'git-url': url, 'project-id': id, 'preview-projects': leased = [] } = values;
  if (url === undefined) return undefined;
  const read = readGitUrl(url, id === undefined ? leased : [...leased, id], leased);
  if ('problem' in read) return read;
  const own = `${serverUrl}/${repository}`;
  const isOwn = [...read.values()].some((address) => isSameRepository(address.url, own));
  return isOwn ? { problem: ownRepository } : read;
}

/** Whether a new project is adopted. Only GitHub's records show that it is new. */
function adoptionOf(force: string, { can }: RunContext): Adoption {
  if (force === 'adopt') return 'by-input';
  return force === 'auto' && can.recordsDeployments ? 'by-records' : 'never';
}

/**
 * Reads the inputs for the push.
 *
 * @param run whether a pull request leases the project, whether the run is for one, and whether the commit is the head of
 * the project's own repository
 * @param problems collects the mistakes
 * @returns undefined if one of the inputs is wrong
 */
export function readPush(
  values: PushValues,
  context: RunContext,
  { isLeased, isAboutPull, isHead }: Record<'isLeased' | 'isAboutPull' | 'isHead', boolean>,
  problems: Problem[],
): PushIntent | undefined {
  const repositories = readRepositories(values, context);
  if (repositories !== undefined && 'problem' in repositories) {
    problems.push({ input: 'git-url', code: 'SD1106', message: repositories.problem });
    return undefined;
  }
  if (values['git-token'] !== undefined && repositories === undefined) {
    problems.push({
      input: 'git-token',
      code: 'SD1101',
      message: 'needs git-url, which is empty',
    });
  }
  if (!values.deploy) return { kind: 'none' };
  if (repositories === undefined) return { kind: 'no-url' };
  if (isHead) return { kind: 'head' };
  const isOwn = isLeased && !values['allow-production'];
  const isUnmerged = isAboutPull || context.event.kind === 'merge-group';
  const mayAdopt = !isOwn && !isUnmerged;
  return {
    kind: 'push',
    branch: values['git-branch'],
    force: forceOf(values['git-force'], isOwn),
    adopts: mayAdopt ? adoptionOf(values['git-force'], context) : 'never',
    repositories,
  };
}
