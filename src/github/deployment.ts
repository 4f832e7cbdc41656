import { asObject } from '../core/json.ts';
import type { Octokit } from './api.ts';

/** The states that this action gives a GitHub Deployment. */
export type DeploymentState = 'in_progress' | 'success' | 'failure' | 'error' | 'inactive';

/** A GitHub Deployment to record. */
export interface DeploymentRequest {
  /** The commit. */
  ref: string;
  environment: string;
  /** A preview is transient, and not production. */
  isPreview: boolean;
  signal: AbortSignal;
}

/** A state to give it. */
export interface DeploymentStatus {
  state: DeploymentState;
  description: string;
  /** The address of the run. */
  logUrl: string;
  /** The address of the site; empty if there is none to tell. */
  environmentUrl: string;
  signal: AbortSignal;
}

/** GitHub takes so many characters of a description. */
const longestDescription = 140;

/** Marks the deployments that this action made, so that it touches no others. */
const maker = 'site-deploy-action';

/** How many earlier deployments of an environment are looked at. */
const mostEarlier = 30;

/** `POST /repos/{owner}/{repo}/deployments`: gives its id. */
export async function createDeployment(
  { rest, owner, repo }: Octokit,
  { ref, environment, isPreview, signal }: DeploymentRequest,
): Promise<number> {
  const { data } = await rest.rest.repos.createDeployment({
    owner,
    repo,
    ref,
    environment,
    task: 'deploy',
    auto_merge: false,
    required_contexts: [],
    transient_environment: isPreview,
    production_environment: !isPreview,
    payload: { maker },
    request: { signal },
  });
  if ('id' in data) return data.id;
  throw new Error(`GitHub made no deployment: ${data.message ?? 'it merged instead'}`);
}

/** `POST /repos/{owner}/{repo}/deployments/{id}/statuses`. */
export async function setDeploymentStatus(
  { rest, owner, repo }: Octokit,
  id: number,
  { state, description, logUrl, environmentUrl, signal }: DeploymentStatus,
): Promise<void> {
  await rest.rest.repos.createDeploymentStatus({
    owner,
    repo,
    deployment_id: id,
    state,
    description: description.slice(0, longestDescription),
    log_url: logUrl,
    ...(environmentUrl === '' ? {} : { environment_url: environmentUrl }),
    auto_inactive: false,
    request: { signal },
  });
}

/**
 * Sets the earlier deployments of an environment inactive that this action made and that are not so yet.
 *
 * @param except the deployment that stays
 * @returns how many were set
 */
export async function retireDeployments(
  octokit: Octokit,
  environment: string,
  except: number | undefined,
  status: Omit<DeploymentStatus, 'state' | 'environmentUrl'>,
): Promise<number> {
  const { rest, owner, repo } = octokit;
  const { signal } = status;
  const { data } = await rest.rest.repos.listDeployments({
    owner,
    repo,
    environment,
    per_page: mostEarlier,
    request: { signal },
  });
  let retired = 0;
  for (const { id, payload } of data) {
    const read: unknown = typeof payload === 'string' ? undefined : payload;
    if (id === except || asObject(read)?.['maker'] !== maker) continue;
    const { data: statuses } = await rest.rest.repos.listDeploymentStatuses({
      owner,
      repo,
      deployment_id: id,
      per_page: 1,
      request: { signal },
    });
    if (statuses[0]?.state === 'inactive') continue;
    await setDeploymentStatus(octokit, id, { ...status, state: 'inactive', environmentUrl: '' });
    retired += 1;
  }
  return retired;
}
