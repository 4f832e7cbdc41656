import { asObject } from '../kernel/json.ts';
import { cut } from '../kernel/text/safe.ts';
import { titleOf } from '../report/closing.ts';
import { type Octokit, readPages } from './api.ts';
import { makeShown } from './shown.ts';

/** The states of GitHub deployments that this action sets. */
export type DeploymentState = 'in_progress' | 'success' | 'failure' | 'error' | 'inactive';

export interface DeploymentStatus {
  state: DeploymentState;
  description: string;
  /** The URL of the run. */
  logUrl: string;
  /** The URL of the site; empty if there is none. */
  environmentUrl: string;
}

/** GitHub's limit for a description, in characters. */
const longestDescription = 140;

/** `POST /repos/{owner}/{repo}/deployments/{id}/statuses`. Safe to repeat. */
export async function setDeploymentStatus(
  octokit: Octokit,
  id: number,
  { state, description, logUrl, environmentUrl }: DeploymentStatus,
): Promise<void> {
  const { rest, owner, repo } = octokit;
  const words = cut(description, longestDescription);
  // GitHub would reject the status if GITHUB_SERVER_URL is not a URL.
  const address = /^https?:\/\//.test(logUrl) && URL.canParse(logUrl) ? { log_url: logUrl } : {};
  await makeShown({
    send: async () => {
      const { data } = await rest.repos.createDeploymentStatus({
        owner,
        repo,
        deployment_id: id,
        state,
        description: words,
        ...address,
        ...(environmentUrl === '' ? {} : { environment_url: environmentUrl }),
        auto_inactive: false,
      });
      // Another deployment's status may have the same state.
      const { deployment_url: of = '' } = asObject(data) ?? {};
      return asObject(data)?.['state'] === state && String(of).endsWith(`/${id}`)
        ? true
        : undefined;
    },
    // Not only the last one: a newer run may have set the deployment inactive since, and that must stay.
    find: async () => {
      const statuses = await listStatuses(octokit, id, mostLater);
      const isIt = (one: (typeof statuses)[number]) =>
        one.state === state &&
        one.description === words &&
        (one.log_url ?? '') === (address.log_url ?? '');
      return statuses.some(isIt) ? true : undefined;
    },
  });
}

/** How many newer statuses may precede the one that is searched for. */
const mostLater = 30;

/** The latest statuses of a deployment, newest first. */
async function listStatuses({ rest, owner, repo }: Octokit, id: number, most: number) {
  const { data } = await rest.repos.listDeploymentStatuses({
    owner,
    repo,
    deployment_id: id,
    per_page: most,
  });
  return Array.isArray(data) ? data : [];
}

/** All statuses of a deployment. */
export const listAllStatuses = ({ rest, owner, repo }: Octokit, id: number) =>
  Array.fromAsync(
    readPages((page) =>
      rest.repos.listDeploymentStatuses({ owner, repo, deployment_id: id, ...page }),
    ),
  );

async function lastStatus(octokit: Octokit, id: number) {
  const [last] = await listStatuses(octokit, id, 1);
  return last;
}

/** The last state of a deployment; undefined if it has none. */
export async function readState(octokit: Octokit, id: number): Promise<string | undefined> {
  return (await lastStatus(octokit, id))?.state;
}

/** Whether the last state of a deployment is `inactive`. */
export async function isInactive(octokit: Octokit, id: number): Promise<boolean> {
  return (await readState(octokit, id)) === 'inactive';
}

/** Waits for all writes, and then throws the first error. */
export async function allDone(writes: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(writes);
  await Promise.all(writes);
}

/** Sets deployments inactive, in parallel. */
export async function retireDeployments(
  octokit: Octokit,
  deployments: readonly { id: number }[],
  status: Pick<DeploymentStatus, 'description' | 'logUrl'>,
): Promise<void> {
  const inactive = { ...status, state: 'inactive', environmentUrl: '' } as const;
  await allDone(deployments.map(({ id }) => setDeploymentStatus(octokit, id, inactive)));
}

/** The description of a removed preview's deployments. */
export const ended = titleOf('cleaned-up');

/**
 * Sets the deployments of a removed preview inactive, as far as they are not yet.
 *
 * @param last the one that is written in any case
 */
export async function endDeployments(
  octokit: Octokit,
  deployments: readonly { id: number }[],
  logUrl: string,
  last?: number,
): Promise<void> {
  const isDone = await Promise.all(
    deployments.map(({ id }) => (id === last ? false : isInactive(octokit, id))),
  );
  const open = deployments.filter((_, index) => isDone[index] !== true);
  await retireDeployments(octokit, open, { description: ended, logUrl });
}
