import type { Sha } from '../contract/commit.ts';
import { asObject, type JsonObject } from '../core/json.ts';
import type { SignedClaim } from '../core/preview/claim.ts';
import { titleOf } from '../core/report/closing.ts';
import { cut } from '../core/text/cut.ts';
import { type Octokit, readPages } from './api.ts';
import { makeShown, writeShown } from './shown.ts';

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
  ref: Sha;
  /** A preview is transient, and not production. */
  isPreview: boolean;
  /** Whose the preview's hostname is; absent if nothing is claimed. */
  claim?: SignedClaim;
  /** Tells the deployment from those of every other run and step. */
  mark: string;
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
const maxListed = 30;

/** A deployment that this action made. */
export interface MadeDeployment {
  id: number;
  /** See {@link DeploymentRequest}; undefined if it was made before there were marks. */
  mark: unknown;
}

/** What a deployment's payload says of it, if this action made it. */
function readPayload(payload: unknown): JsonObject | undefined {
  const made = asObject(payload);
  return made?.['maker'] === maker ? made : undefined;
}

/** The deployments that this action made at a place, the newest first. */
export async function listDeployments(
  { rest, owner, repo }: Octokit,
  { environment, key }: DeploymentPlace,
): Promise<MadeDeployment[]> {
  const { data } = await rest.repos.listDeployments({
    owner,
    repo,
    environment,
    per_page: maxListed,
  });
  return data.flatMap(({ id, payload }) => {
    const made = readPayload(payload);
    return made?.['key'] === key ? [{ id, mark: made['mark'] }] : [];
  });
}

/** The id of the deployment that bears a request's mark; undefined if there is none. */
export async function findDeployment(
  octokit: Octokit,
  request: DeploymentRequest,
): Promise<number | undefined> {
  const listed = await listDeployments(octokit, request);
  return listed.find(({ mark }) => mark === request.mark)?.id;
}

/**
 * `POST /repos/{owner}/{repo}/deployments`, once. An answer that is lost, or is about another deployment, is looked
 * for by the mark.
 *
 * @returns its id
 */
export async function createGitHubDeployment(
  octokit: Octokit,
  request: DeploymentRequest,
): Promise<number> {
  const { rest, owner, repo } = octokit;
  const { ref, environment, key, isPreview, mark, claim } = request;
  return await writeShown({
    send: async () => {
      const answer = await rest.repos.createDeployment({
        owner,
        repo,
        ref,
        environment,
        task: 'deploy',
        auto_merge: false,
        required_contexts: [],
        transient_environment: isPreview,
        production_environment: !isPreview,
        payload: { maker, key, mark, ...(claim && { claim }) },
      });
      const data = asObject(answer.data);
      const isOurs = readPayload(data?.['payload'])?.['mark'] === mark;
      return isOurs && typeof data?.['id'] === 'number' ? data['id'] : undefined;
    },
    find: () => findDeployment(octokit, request),
  });
}

/** `POST /repos/{owner}/{repo}/deployments/{id}/statuses`: to set one twice does no harm. */
export async function setDeploymentStatus(
  octokit: Octokit,
  id: number,
  { state, description, logUrl, environmentUrl }: DeploymentStatus,
): Promise<void> {
  const { rest, owner, repo } = octokit;
  const words = cut(description, longestDescription);
  await makeShown({
    send: async () => {
      const { data } = await rest.repos.createDeploymentStatus({
        owner,
        repo,
        deployment_id: id,
        state,
        description: words,
        log_url: logUrl,
        ...(environmentUrl === '' ? {} : { environment_url: environmentUrl }),
        auto_inactive: false,
      });
      // Another deployment's status may have the same state.
      const { deployment_url: of = '' } = asObject(data) ?? {};
      return asObject(data)?.['state'] === state && String(of).endsWith(`/${id}`)
        ? true
        : undefined;
    },
    find: async () => {
      const last = await lastStatus(octokit, id);
      return last?.state === state && last.description === words ? true : undefined;
    },
  });
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
  deployments: readonly MadeDeployment[],
  status: Pick<DeploymentStatus, 'description' | 'logUrl'>,
): Promise<void> {
  for (const { id } of deployments) {
    if (await isInactive(octokit, id)) continue;
    await setDeploymentStatus(octokit, id, { ...status, state: 'inactive', environmentUrl: '' });
  }
}

/** The last word on the newest deployment of a preview that was ended: inactive ones are not all of such. */
const ended = titleOf('cleaned-up');

/**
 * Sets the deployments of a preview inactive that was ended.
 *
 * @param deployments the newest first
 */
export async function endDeployments(
  octokit: Octokit,
  deployments: readonly MadeDeployment[],
  logUrl: string,
): Promise<void> {
  const [newest, ...others] = deployments;
  if (newest === undefined) return;
  const status = { description: ended, logUrl };
  if ((await lastStatus(octokit, newest.id))?.description !== ended) {
    await setDeploymentStatus(octokit, newest.id, {
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
    const own = readPayload(payload);
    if (own?.['key'] !== key) continue;
    const isEnded = (await lastStatus(octokit, id))?.description === ended;
    return isEnded ? undefined : own['claim'];
  }
  return undefined;
}
