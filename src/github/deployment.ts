import { asObject, type JsonObject } from '../core/json.ts';
import type { SignedClaim } from '../core/preview/claim.ts';
import { titleOf } from '../core/report/closing.ts';
import { cut } from '../core/text/cut.ts';
import { type Octokit, readPages } from './api.ts';

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
  /** Whose the preview's hostname is; absent if nothing is claimed. */
  claim?: SignedClaim;
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
  { ref, environment, key, isPreview, claim }: DeploymentRequest,
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
    payload: { maker, key, ...(claim && { claim }) },
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

/** The payload of a deployment, if this action made it at a place; undefined otherwise. */
function ownPayload(payload: unknown, key: string): JsonObject | undefined {
  const made = asObject(payload);
  return made?.['maker'] === maker && made['key'] === key ? made : undefined;
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
  return data.filter(({ payload }) => ownPayload(payload, key) !== undefined).map(({ id }) => id);
}

async function lastStatus({ rest, owner, repo }: Octokit, id: number) {
  const { data } = await rest.repos.listDeploymentStatuses({
    owner,
    repo,
    deployment_id: id,
    per_page: 1,
  });
  return data[0];
}

/** Whether the last state of a deployment is `inactive`. */
export async function isInactive(octokit: Octokit, id: number): Promise<boolean> {
  return (await lastStatus(octokit, id))?.state === 'inactive';
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

/** The last word on the newest deployment of a preview that was ended: inactive ones are not all of such. */
const ended = titleOf('cleaned-up');

/**
 * Sets the deployments of a preview inactive that was ended.
 *
 * @param ids the newest first
 */
export async function endDeployments(
  octokit: Octokit,
  ids: readonly number[],
  logUrl: string,
): Promise<void> {
  const [newest, ...others] = ids;
  if (newest === undefined) return;
  const status = { description: ended, logUrl };
  if ((await lastStatus(octokit, newest))?.description !== ended) {
    await setDeploymentStatus(octokit, newest, {
      ...status,
      state: 'inactive',
      environmentUrl: '',
    });
  }
  await retireDeployments(octokit, others, status);
}

/**
 * What the newest deployment at a place claims, as it was read.
 *
 * @returns undefined if it claims nothing, or its preview was ended
 */
export async function readDeploymentClaim(
  octokit: Octokit,
  { environment, key }: DeploymentPlace,
): Promise<unknown> {
  const { rest, owner, repo } = octokit;
  const listed = readPages((page) =>
    rest.repos.listDeployments({ owner, repo, environment, ...page }),
  );
  for await (const { id, payload } of listed) {
    const own = ownPayload(payload, key);
    if (own === undefined) continue;
    const isEnded = (await lastStatus(octokit, id))?.description === ended;
    return isEnded ? undefined : own['claim'];
  }
  return undefined;
}
