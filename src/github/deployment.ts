import { asObject } from '../core/json.ts';
import { cut } from '../core/text/cut.ts';
import type { Octokit } from './api.ts';

/** Which GitHub Deployments belong together, so that a later one takes an earlier one's place. */
export interface DeploymentPlace {
  environment: string;
  /** Tells apart what is deployed to one environment: projects, or previews of pull requests. */
  key: string;
}

/** The states that this action gives a GitHub Deployment. */
export type DeploymentState = 'in_progress' | 'success' | 'failure' | 'error' | 'inactive';

/** A GitHub Deployment to record. */
export interface DeploymentRequest extends DeploymentPlace {
  /** The commit. */
  ref: string;
  /** A preview is transient, and not production. */
  isPreview: boolean;
}

/** A state to give it. */
export interface DeploymentStatus {
  state: DeploymentState;
  description: string;
  /** The address of the run. */
  logUrl: string;
  /** The address of the site; empty if there is none to tell. */
  environmentUrl: string;
}

/** GitHub takes so many characters of a description. */
const longestDescription = 140;

/** Marks the deployments that this action made, so that it touches no others. */
const maker = 'site-deploy-action';

/** How many deployments of an environment are looked at, the newest first. */
const mostListed = 30;

/** `POST /repos/{owner}/{repo}/deployments`: gives its id. */
export async function createDeployment(
  { rest, owner, repo }: Octokit,
  { ref, environment, key, isPreview }: DeploymentRequest,
): Promise<number> {
  const { data } = await rest.repos.createDeployment({
    owner,
    repo,
    ref,
    environment,
    task: 'deploy',
    auto_merge: false,
    required_contexts: [],
    transient_environment: isPreview,
    production_environment: !isPreview,
    payload: { maker, key },
  });
  if ('id' in data) return data.id;
  throw new Error(`GitHub made no deployment: ${data.message ?? 'it merged instead'}`);
}

/** `POST /repos/{owner}/{repo}/deployments/{id}/statuses`. */
export async function setDeploymentStatus(
  { rest, owner, repo }: Octokit,
  id: number,
  { state, description, logUrl, environmentUrl }: DeploymentStatus,
): Promise<void> {
  await rest.repos.createDeploymentStatus({
    owner,
    repo,
    deployment_id: id,
    state,
    description: cut(description, longestDescription),
    log_url: logUrl,
    ...(environmentUrl === '' ? {} : { environment_url: environmentUrl }),
    auto_inactive: false,
  });
}

/** The ids of the deployments that this action made at a place, the newest first. */
export async function listDeployments(
  { rest, owner, repo }: Octokit,
  { environment, key }: DeploymentPlace,
): Promise<number[]> {
  const { data } = await rest.repos.listDeployments({
    owner,
    repo,
    environment,
    per_page: mostListed,
  });
  const ours = data.filter(({ payload }) => {
    const read: unknown = payload;
    const made = asObject(read);
    return made?.['maker'] === maker && made['key'] === key;
  });
  return ours.map(({ id }) => id);
}

/** Whether the last state of a deployment is `inactive`. */
export async function isInactive({ rest, owner, repo }: Octokit, id: number): Promise<boolean> {
  const { data } = await rest.repos.listDeploymentStatuses({
    owner,
    repo,
    deployment_id: id,
    per_page: 1,
  });
  return data[0]?.state === 'inactive';
}

/** Sets those of the deployments inactive that are not so yet. */
export async function retireDeployments(
  octokit: Octokit,
  ids: readonly number[],
  status: Pick<DeploymentStatus, 'description' | 'logUrl'>,
): Promise<void> {
  for (const id of ids) {
    if (await isInactive(octokit, id)) continue;
    await setDeploymentStatus(octokit, id, { ...status, state: 'inactive', environmentUrl: '' });
  }
}
