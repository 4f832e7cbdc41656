import { createHash } from 'node:crypto';
import type { Sha } from '../contract/commit.ts';
import { isRunId } from '../kernel/cryptography.ts';
import { asObject, type JsonObject } from '../kernel/json.ts';
import { type Octokit, readPages } from './api.ts';
import type { SignedClaim } from './model/claim.ts';
import type { RecordSeal, ShownRecord, SignedRecord } from './model/record-seal.ts';
import { writeShown } from './shown.ts';

/** A series of GitHub deployments, of which a later one replaces an earlier one. */
export interface DeploymentPlace {
  environment: string;
  /** Distinguishes deployments to one environment: projects, or previews of pull requests. */
  key: string;
}

/** A GitHub deployment to create. */
export interface DeploymentRequest extends DeploymentPlace {
  ref: Sha;
  /** A preview is transient, and not production. */
  isPreview: boolean;
  /** The claim of the preview's hostname; absent if there is none. */
  claim?: SignedClaim;
  /** Unique to the run and the step. */
  mark: string;
  /** The signed facts for later runs. */
  record: SignedRecord;
}

/** Marks the deployments created by this action, so that it changes no others. */
const maker = 'site-deploy-action';

/** Only the deployments of the latest runs of a place are read. */
export const maxRuns = 30;

/**
 * A deployment's task, by which GitHub's list can be filtered: one for each place, so that a place's deployments are found
 * however many others its environment has.
 */
export const taskOf = (key: string): string =>
  `deploy:${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;

/** A deployment that claims to be created by this action. */
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
 * The deployments of a place created by this action, newest first, up to a limit of runs. Copies of one run's deployment
 * count as one run, and unsigned deployments are counted separately, so that neither can hide others.
 *
 * @param seal checks the signatures; without it no signature is required
 */
export async function listDeployments(
  { rest, owner, repo }: Octokit,
  { environment, key }: DeploymentPlace,
  seal?: RecordSeal,
): Promise<MadeDeployment[]> {
  const listed = readPages((page) =>
    rest.repos.listDeployments({ owner, repo, environment, task: taskOf(key), ...page }),
  );
  const made: MadeDeployment[] = [];
  const ours = new Set<unknown>();
  const others = new Set<unknown>();
  for await (const { id, sha, environment: at, payload } of listed) {
    const own = ownPayload(payload);
    if (own?.['key'] !== key) continue;
    const shown = { sha, environment: at, payload: own };
    const isOurs = seal === undefined || seal.open(shown) !== undefined;
    const [runs, mark] = [isOurs ? ours : others, own['mark']];
    if (runs.size === maxRuns && !runs.has(mark)) {
      if (isOurs) break;
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
  request: DeploymentPlace & Pick<DeploymentRequest, 'mark'>,
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
  const { ref, environment, key, isPreview, mark, record, claim } = request;
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
        payload: { maker, key, mark, record, ...(claim && { claim }) },
      });
      const data = asObject(answer.data);
      const isOurs = ownPayload(data?.['payload'])?.['mark'] === mark;
      return isOurs && typeof data?.['id'] === 'number' ? data['id'] : undefined;
    },
    find: () => findDeployment(octokit, request),
  });
}
