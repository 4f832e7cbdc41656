import { isSha, type Sha } from '../contract/commit.ts';
import { asObject } from '../kernel/json.ts';
import { type Octokit, readPages } from './api.ts';
import { listAllStatuses } from './deployment-status.ts';
import { type DeploymentPlace, ownPayload, taskOf } from './github-deployment.ts';
import type { RecordSeal, ReleaseEnd, ReleaseRecord } from './model/record-seal.ts';
import { StrangeAnswer, statusOf } from './trouble.ts';

/** A record of ours, as GitHub has it. */
export interface KeptRecord extends ReleaseRecord {
  id: number;
  /** When it was made, by GitHub's clock: ISO 8601. */
  at: string;
}

/** Which records are read: those of a place, or of a commit; of all places if nothing is said. */
export type RecordFilter = Partial<DeploymentPlace> & { commit?: Sha };

/** The records that bear our signature, over all pages, the newest first. What others made is passed over. */
export async function* readRecords(
  { rest, owner, repo }: Octokit,
  seal: RecordSeal,
  { environment, key, commit }: RecordFilter,
): AsyncGenerator<KeptRecord> {
  const filter = {
    ...(environment !== undefined && { environment }),
    ...(key !== undefined && { task: taskOf(key) }),
    ...(commit !== undefined && { sha: commit }),
  };
  const listed = readPages((page) =>
    rest.repos.listDeployments({ owner, repo, ...filter, ...page }),
  );
  for await (const { id, sha, environment: of, payload, created_at: at } of listed) {
    const own = ownPayload(payload);
    const record = own && seal.open({ sha, environment: of, payload: own });
    if (record === undefined || (key !== undefined && record.key !== key)) continue;
    yield { id, at: String(at), ...record };
  }
}

/** How a record's release ended, by all of its statuses; undefined if its run has not said so. */
export async function readEnd(
  { rest, owner, repo }: Octokit,
  seal: RecordSeal,
  { id, ...record }: Pick<KeptRecord, 'id'> & ReleaseRecord,
): Promise<ReleaseEnd | undefined> {
  const listed = readPages((page) =>
    rest.repos.listDeploymentStatuses({ owner, repo, deployment_id: id, ...page }),
  );
  let end: ReleaseEnd | undefined;
  for await (const { log_url: address = '' } of listed) {
    const told = seal.openEnd(id, record, address);
    // It was good once, or undone, whatever came later.
    if (told?.kind === 'good' || told?.kind === 'rolled-back') return told;
    end ??= told;
  }
  return end;
}

/** States after which a deployment does not go on. */
const endStates: ReadonlySet<unknown> = new Set(['success', 'failure', 'error', 'inactive']);

/** How many deployments are looked through for a project. */
const mostSearched = 300;

/**
 * True if a GitHub Deployment that this action made, in whatever environment and with whatever key, names a project and
 * has ended. One that is signed to have deployed nothing does not count; neither does one under way.
 *
 * @throws if there are too many to tell
 */
export async function wasReleased(
  octokit: Octokit,
  seal: RecordSeal,
  projectId: string,
): Promise<boolean> {
  const { rest, owner, repo } = octokit;
  let searched = 0;
  const listed = readPages((page) => rest.repos.listDeployments({ owner, repo, ...page }));
  for await (const { id, sha, environment, payload } of listed) {
    const own = ownPayload(payload);
    if (own === undefined) continue;
    searched += 1;
    if (searched > mostSearched)
      throw new StrangeAnswer('There are too many deployments to look through');
    const record = seal.open({ sha, environment, payload: own });
    const statuses = await listAllStatuses(octokit, id);
    const ends = statuses.flatMap(({ log_url: address = '' }) =>
      record === undefined ? [] : (seal.openEnd(id, record, address) ?? []),
    );
    if (ends.length > 0 && ends.every(({ kind }) => kind === 'undeployed')) continue;
    if (!statuses.some(({ state }) => endStates.has(state))) continue;
    const said = [own['key'], ...statuses.map(({ log_url: address }) => address)].join(' ');
    if (said.toLowerCase().includes(projectId.toLowerCase())) return true;
  }
  return false;
}

/** How a commit stands to another, in GitHub's words: `ahead` if the other is an ancestor of it. */
export type Standing = 'ahead' | 'behind' | 'identical' | 'diverged';

const isStanding = (word: unknown): word is Standing =>
  ['ahead', 'behind', 'identical', 'diverged'].some((known) => known === word);

/**
 * `GET /repos/{owner}/{repo}/compare/{basehead}`: how a head stands to its base. With the newer one as the base GitHub
 * sends no files, which may be many.
 *
 * @returns undefined if GitHub does not know one of them, or they have nothing in common
 */
export async function compareCommits(
  { rest, owner, repo }: Octokit,
  base: string,
  head: Sha,
): Promise<Standing | undefined> {
  const basehead = `${base}...${head}`;
  try {
    const { data } = await rest.repos.compareCommitsWithBasehead({
      owner,
      repo,
      basehead,
      per_page: 1,
    });
    const status = asObject(data)?.['status'];
    if (isStanding(status)) return status;
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
  throw new StrangeAnswer('GitHub answered something that is no comparison');
}

/**
 * `GET /repos/{owner}/{repo}/commits/{ref}`: what a text names for GitHub, which may be a branch, or a commit of a fork.
 *
 * @returns undefined if that is nothing, or more than one commit
 */
export async function findCommit(
  { rest, owner, repo }: Octokit,
  ref: string,
): Promise<Sha | undefined> {
  try {
    // Files come in pages, and nobody reads them here.
    const { data } = await rest.repos.getCommit({ owner, repo, ref, per_page: 1 });
    const found = asObject(data)?.['sha'];
    if (isSha(found)) return found;
  } catch (error) {
    if ([404, 422].includes(statusOf(error) ?? 0)) return undefined;
    throw error;
  }
  throw new StrangeAnswer('GitHub answered something that is no commit');
}

/** `GET /repos/{owner}/{repo}/git/commits/{commit_sha}`: the tree of a commit; undefined if GitHub does not know it. */
export async function readTree(
  { rest, owner, repo }: Octokit,
  commit: Sha,
): Promise<Sha | undefined> {
  try {
    const { data } = await rest.git.getCommit({ owner, repo, commit_sha: commit });
    const tree = asObject(asObject(data)?.['tree'])?.['sha'];
    if (isSha(tree)) return tree;
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
  throw new StrangeAnswer('GitHub answered something that is no commit');
}
