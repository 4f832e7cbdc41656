import { createHash } from 'node:crypto';
import type { Sha } from '../contract/commit.ts';
import { isRunId } from '../kernel/idempotency.ts';
import { asObject, type JsonObject } from '../kernel/json.ts';
import { type Octokit, readPages } from './api.ts';
import type { SignedClaim } from './model/claim.ts';
import type { RecordSeal, ShownRecord, SignedRecord } from './model/record-seal.ts';
import { writeShown } from './shown.ts';

/** Which GitHub Deployments belong together, so that a later one takes an earlier one's place. */
export interface DeploymentPlace {
  environment: string;
  /** Tells apart what is deployed to one environment: projects, or previews of pull requests. */
  key: string;
}

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
  /** What later runs may believe of it. */
  record: SignedRecord;
}

/** Marks the deployments that this action made, so that it touches no others. */
const maker = 'site-deploy-action';

/** How many deployments of a place are looked at, the newest first: those of so many runs. */
export const maxRuns = 30;

/**
 * What GitHub calls a task, which its list can be narrowed by: one for each place, so that those of a place are found
 * however many others its environment has.
 */
export const taskOf = (key: string): string =>
  `deploy:${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;

/** A deployment that this action made, as far as what it says is true. */
export interface MadeDeployment extends ShownRecord {
  id: number;
  /** See {@link DeploymentRequest}; undefined if it was made before there were marks. */
  mark: unknown;
}

/** What a deployment's payload says of it, if this action made it. Anybody can write the same. */
export function ownPayload(payload: unknown): JsonObject | undefined {
  const made = asObject(payload);
  return made?.['maker'] === maker ? made : undefined;
}

/**
 * The deployments that this action made at a place, the newest first. Copies of one run's count as one, so that they
 * hide no other's; nor do those that only say that they are ours, which are counted by themselves.
 *
 * @param seal knows those that bear our signature; without it none is taken to
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
 * Those of some deployments that no newer run has made: what an older run ends is over, and what a newer one has begun
 * since is not.
 *
 * @param runId the id of the run that asks; without numbers nothing is known to be newer
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

/** The id of the deployment that bears a request's mark; undefined if there is none. */
export async function findDeployment(
  octokit: Octokit,
  request: DeploymentPlace & Pick<DeploymentRequest, 'mark'>,
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
