import { appOf, idOf, user } from './actors.ts';

/** The states of a deployment. */
export const deploymentStates = [
  'error',
  'failure',
  'inactive',
  'in_progress',
  'pending',
  'queued',
  'success',
] as const;
export type DeploymentState = (typeof deploymentStates)[number];

/** One status of a deployment, as GitHub shows it. */
export type DeploymentStatus = ReturnType<typeof deploymentStatus>;

/** A deployment as GitHub shows it, and the statuses that it was given, oldest first. */
export type Deployment = ReturnType<typeof deployment> & { statuses: DeploymentStatus[] };

/** What a deployment is made of. */
export type DeploymentParts = {
  id: number;
  /** `owner/name`. */
  repository: string;
  /** The creator's login. */
  creator: string;
  ref: string;
  sha: string;
  task: string;
  payload: Record<string, unknown> | string;
  environment: string;
  description: string | null;
  transient: boolean;
  production: boolean;
  /** When it is created: ISO 8601. */
  at: string;
};

/** @param api the base URL of the API */
export function deployment(api: string, parts: DeploymentParts) {
  const { id, repository, creator, ref, sha, task, payload, environment, description, at } = parts;
  const url = `${api}/repos/${repository}/deployments/${id}`;
  return {
    url,
    id,
    node_id: `DE_${idOf(url)}`,
    task,
    original_environment: environment,
    environment,
    description,
    created_at: at,
    updated_at: at,
    statuses_url: `${url}/statuses`,
    repository_url: `${api}/repos/${repository}`,
    creator: user(api, creator),
    sha,
    ref,
    payload,
    transient_environment: parts.transient,
    production_environment: parts.production,
    performed_via_github_app: appOf(api, creator),
  };
}

/** What a status is made of, beyond its deployment. */
export type DeploymentStatusParts = {
  id: number;
  /** The creator's login. */
  creator: string;
  state: DeploymentState;
  description: string;
  environment: string;
  environmentUrl: string;
  logUrl: string;
  /** When it is created: ISO 8601. */
  at: string;
};

/** @param api the base URL of the API */
export function deploymentStatus(
  api: string,
  { url: deployed, repository_url }: { url: string; repository_url: string },
  parts: DeploymentStatusParts,
) {
  const { id, creator, state, description, environment, environmentUrl, logUrl, at } = parts;
  const url = `${deployed}/statuses/${id}`;
  return {
    url,
    id,
    node_id: `DES_${idOf(url)}`,
    state,
    creator: user(api, creator),
    description,
    environment,
    target_url: logUrl,
    created_at: at,
    updated_at: at,
    deployment_url: deployed,
    repository_url,
    environment_url: environmentUrl,
    log_url: logUrl,
    performed_via_github_app: appOf(api, creator),
  };
}
