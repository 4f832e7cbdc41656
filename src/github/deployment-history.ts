import { type Comparison, isSha, type Sha } from '../contract/commit.ts';
import { asObject, type JsonObject } from '../kernel/json.ts';
import { type Octokit, readPages } from './client.ts';
import { listAllStatuses, ownPayload } from './deployments.ts';
import { StrangeAnswer, statusOf } from './errors.ts';
import type { RecordSigner } from './model/record-signer.ts';

/** The final states of a deployment. */
const endStates: ReadonlySet<unknown> = new Set(['success', 'failure', 'error', 'inactive']);

/** The limit of deployments that are searched for a project. */
const mostSearched = 300;

/**
 * True if a GitHub deployment created by this action, in any environment and with any key, names the project and has
 * ended. One with a signed report that nothing was deployed does not count.
 *
 * @throws StrangeAnswer if there are too many deployments
 */
export async function wasReleased(
  octokit: Octokit,
  signer: RecordSigner,
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
      throw new StrangeAnswer('There are too many deployments to search');
    const record = signer.verify({ sha, environment, payload: own });
    const statuses = await listAllStatuses(octokit, id);
    const ends = statuses.flatMap(({ log_url: address = '' }) =>
      record === undefined ? [] : (signer.verifyEnd(id, record, address) ?? []),
    );
    if (ends.length > 0 && ends.every(({ kind }) => kind === 'undeployed')) continue;
    if (!statuses.some(({ state }) => endStates.has(state))) continue;
    const text = [own['key'], ...statuses.map(({ log_url: address }) => address)].join(' ');
    if (text.toLowerCase().includes(projectId.toLowerCase())) return true;
  }
  return false;
}

const isComparison = (word: unknown): word is Comparison =>
  ['ahead', 'behind', 'identical', 'diverged'].some((known) => known === word);

/**
 * `GET /repos/{owner}/{repo}/compare/{basehead}`.
 *
 * @param most how many commits GitHub lists, the oldest first; absent: up to 250, of which the last is the newest
 * @returns undefined if GitHub does not have one of them, or they have no common history
 */
export async function readComparison(
  { rest, owner, repo }: Octokit,
  base: string,
  head: Sha,
  most?: number,
): Promise<(JsonObject & { status: Comparison }) | undefined> {
  const basehead = `${base}...${head}`;
  try {
    const request = { owner, repo, basehead, ...(most !== undefined && { per_page: most }) };
    const { data } = await rest.repos.compareCommitsWithBasehead(request);
    const found = asObject(data);
    const status = found?.['status'];
    if (isComparison(status)) return { ...found, status };
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw error;
  }
  throw new StrangeAnswer("GitHub's response is not a comparison");
}

/** The status of {@link readComparison}. With the newer commit as the base, GitHub sends no files. */
export const compareCommits = async (octokit: Octokit, base: string, head: Sha) =>
  (await readComparison(octokit, base, head, 1))?.status;

/**
 * `GET /repos/{owner}/{repo}/commits/{ref}`: the commit of a ref, which may be a branch, or a commit of a fork.
 *
 * @returns undefined if there is none, or more than one
 */
export async function findCommit(
  { rest, owner, repo }: Octokit,
  ref: string,
): Promise<Sha | undefined> {
  try {
    // To get as few files as possible: they are not read here.
    const { data } = await rest.repos.getCommit({ owner, repo, ref, per_page: 1 });
    const found = asObject(data)?.['sha'];
    if (isSha(found)) return found;
  } catch (error) {
    if ([404, 422].includes(statusOf(error) ?? 0)) return undefined;
    throw error;
  }
  throw new StrangeAnswer("GitHub's response is not a commit");
}
