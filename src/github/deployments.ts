import { createHash } from 'node:crypto';
import type { Sha } from '../contract/commit.ts';
import { asObject, type JsonObject } from '../kernel/json.ts';
import { cut } from '../kernel/text/safe.ts';
import { type Octokit, pagesOf, readPages } from './client.ts';
import { makeShown, writeShown } from './errors.ts';
import type { SignedRecord } from './model/record-signer.ts';

/** A series of GitHub deployments, of which a later one replaces an earlier one. */
export interface DeploymentSeries {
  environment: string;
  /** Distinguishes deployments to one environment: projects, or previews of pull requests. */
  key: string;
}

/** A GitHub deployment to create. */
export interface DeploymentRequest extends DeploymentSeries {
  ref: Sha;
  /** A preview is transient, and not production. */
  isPreview: boolean;
  /** Unique to the run and the step. */
  mark: string;
  /** The signed facts for later runs. */
  record: SignedRecord;
}

/** Marks the deployments created by this action, so that it changes no others. */
const maker = 'site-deploy-action';

/**
 * A deployment's task, by which GitHub's list can be filtered: one for each series, so that a series's deployments are found
 * however many others its environment has.
 */
export const taskOf = (key: string): string =>
  `deploy:${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;

/** The payload of a deployment created by this action; not verified, as others can write the same. */
export function ownPayload(payload: unknown): JsonObject | undefined {
  const made = asObject(payload);
  return made?.['maker'] === maker ? made : undefined;
}

/** The deployments of a series created by this action, page by page, newest first; of all series without a filter. */
export async function* listMade(
  { rest, owner, repo }: Octokit,
  { environment, key }: Partial<DeploymentSeries>,
) {
  const filter = {
    ...(environment !== undefined && { environment }),
    ...(key !== undefined && { task: taskOf(key) }),
  };
  const pages = pagesOf((page) => rest.repos.listDeployments({ owner, repo, ...filter, ...page }));
  for await (const page of pages) {
    yield page.flatMap(({ id, sha, environment: at, payload, created_at: time }) => {
      const own = ownPayload(payload);
      if (own === undefined || (key !== undefined && own['key'] !== key)) return [];
      return [{ id, at: String(time), sha, environment: at, payload: own }];
    });
  }
}

/** The id of the deployment with a request's mark, which is one of the newest; undefined if there is none. */
export async function findDeployment(
  octokit: Octokit,
  request: DeploymentSeries & Pick<DeploymentRequest, 'mark'>,
): Promise<number | undefined> {
  const { value: newest } = await listMade(octokit, request).next();
  return newest?.find(({ payload }) => payload['mark'] === request.mark)?.id;
}

/**
 * `POST /repos/{owner}/{repo}/deployments`, once. If the response is lost, or is about another deployment, the
 * deployment is searched for by its mark.
 *
 * @returns its id
 */
export async function createGitHubDeployment(
  octokit: Octokit,
  request: DeploymentRequest,
): Promise<number> {
  const { rest, owner, repo } = octokit;
  const { ref, environment, key, isPreview, mark, record } = request;
  return await writeShown({
    send: async () => {
      const answer = await rest.repos.createDeployment({
        owner,
        repo,
        ref,
        environment,
        task: taskOf(key),
        auto_merge: false,
        required_contexts: [],
        transient_environment: isPreview,
        production_environment: !isPreview,
        payload: { maker, key, mark, record },
      });
      const data = asObject(answer.data);
      const isOwn = ownPayload(data?.['payload'])?.['mark'] === mark;
      return isOwn && typeof data?.['id'] === 'number' ? data['id'] : undefined;
    },
    find: () => findDeployment(octokit, request),
  });
}

interface DeploymentStatus {
  /** Those that this action sets. */
  state: 'in_progress' | 'success' | 'failure' | 'error' | 'inactive';
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
