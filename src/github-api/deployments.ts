import { createHash } from 'node:crypto';
import type { Sha } from '../contract/commit.ts';
import { isRunId } from '../kernel/cryptography.ts';
import { asObject, type JsonObject } from '../kernel/json.ts';
import { cut } from '../kernel/text/safe.ts';
import { titleOf } from '../report/closing.ts';
import { type Octokit, readPages } from './client.ts';
import { makeShown, writeShown } from './errors.ts';
import type { RecordSeal, ShownRecord, SignedRecord } from './model/record-seal.ts';

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

/** Only the deployments of the latest runs of a series are read. */
export const maxRuns = 30;

/**
 * A deployment's task, by which GitHub's list can be filtered: one for each series, so that a series's deployments are found
 * however many others its environment has.
 */
export const taskOf = (key: string): string =>
  `deploy:${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;

/** A deployment that may have been created by this action. */
export interface MadeDeployment extends ShownRecord {
  id: number;
  /** See {@link DeploymentRequest}; undefined in old deployments. */
  mark: unknown;
}

/** The payload of a deployment created by this action; not verified, as others can write the same. */
export function ownPayload(payload: unknown): JsonObject | undefined {
  const made = asObject(payload);
  return made?.['maker'] === maker ? made : undefined;
}

/**
 * The deployments of a series created by this action, newest first, up to a limit of runs. Copies of one run's deployment
 * count as one run, and unsigned deployments are counted separately, so that neither can hide others.
 *
 * @param seal checks the signatures; without it no signature is required
 */
export async function listDeployments(
  { rest, owner, repo }: Octokit,
  { environment, key }: DeploymentSeries,
  seal?: RecordSeal,
): Promise<MadeDeployment[]> {
  const listed = readPages((page) =>
    rest.repos.listDeployments({ owner, repo, environment, task: taskOf(key), ...page }),
  );
  const made: MadeDeployment[] = [];
  const signed = new Set<unknown>();
  const others = new Set<unknown>();
  for await (const { id, sha, environment: at, payload } of listed) {
    const own = ownPayload(payload);
    if (own?.['key'] !== key) continue;
    const shown = { sha, environment: at, payload: own };
    const isOwn = seal === undefined || seal.open(shown) !== undefined;
    const [runs, mark] = [isOwn ? signed : others, own['mark']];
    if (runs.size === maxRuns && !runs.has(mark)) {
      if (isOwn) break;
      continue;
    }
    runs.add(mark);
    made.push({ id, mark, ...shown });
  }
  return made;
}

/**
 * The deployments without those of newer runs, which an older run must not end.
 *
 * @param runId the id of this run; if it is not a number, no deployment counts as newer
 */
export function withoutNewer(
  made: readonly MadeDeployment[],
  seal: RecordSeal,
  runId: string | undefined,
): MadeDeployment[] {
  if (!isRunId(runId)) return [...made];
  return made.filter((one) => {
    const by = seal.open(one)?.runId;
    return !isRunId(by) || BigInt(by) <= BigInt(runId);
  });
}

/** The id of the deployment with a request's mark; undefined if there is none. */
export async function findDeployment(
  octokit: Octokit,
  request: DeploymentSeries & Pick<DeploymentRequest, 'mark'>,
): Promise<number | undefined> {
  const listed = await listDeployments(octokit, request);
  return listed.find(({ mark }) => mark === request.mark)?.id;
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

/** The states of GitHub deployments that this action sets. */
type DeploymentState = 'in_progress' | 'success' | 'failure' | 'error' | 'inactive';

interface DeploymentStatus {
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
export async function readDeploymentState(
  octokit: Octokit,
  id: number,
): Promise<string | undefined> {
  return (await lastStatus(octokit, id))?.state;
}

/** Whether the last state of a deployment is `inactive`. */
export async function isInactive(octokit: Octokit, id: number): Promise<boolean> {
  return (await readDeploymentState(octokit, id)) === 'inactive';
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
const ended = titleOf('cleaned-up');

/** Sets the deployments of a removed preview inactive, as far as they are not yet. */
export async function endDeployments(
  octokit: Octokit,
  deployments: readonly { id: number }[],
  logUrl: string,
): Promise<void> {
  const isDone = await Promise.all(deployments.map(({ id }) => isInactive(octokit, id)));
  const open = deployments.filter((_, index) => isDone[index] !== true);
  await retireDeployments(octokit, open, { description: ended, logUrl });
}
