import type { Sha } from '../contract/commit.ts';
import { accessOf } from '../frame/access.ts';
import { recordSealFor } from '../frame/record-seal.ts';
import type { Host, Step } from '../frame/step.ts';
import {
  findPullRequest,
  type GitHubAccess,
  type Octokit,
  openOctokit,
} from '../github-api/client.ts';
import {
  compareCommits,
  type KeptRecord,
  type RecordFilter,
  readEnd,
  readRecords,
  readTree,
} from '../github-api/deployment-history.ts';
import type { DeploymentSeries } from '../github-api/deployments.ts';
import {
  describeTrouble,
  isLasting,
  type Permission,
  StrangeAnswer,
} from '../github-api/errors.ts';
import { mayBeGoing, type RecordSeal, type ReleaseEnd } from '../github-api/model/record-seal.ts';
import { diagnose, reword } from '../kernel/diagnostic.ts';
import type { PullRequest } from '../kernel/event.ts';
import { safe, unsafeText } from '../kernel/text/safe.ts';
import {
  type DeployHistory,
  type GoodRelease,
  HistoryUnreadable,
  type OtherRelease,
  type Verified,
} from '../release/release-history.ts';
import type { HistoryFacts } from './read-gates.ts';
import type { Recorder } from './recorder.ts';
import { findTakenOff } from './releases.ts';
import type { DeployWork } from './work.ts';

/** How the records are read. */
interface HistoryContext {
  access: GitHubAccess;
  seal: RecordSeal;
  /** Where the run's own deployment is recorded; undefined if it is not. */
  series: () => DeploymentSeries | undefined;
  /** Identifies the run's own record. */
  mark: string | undefined;
  /** The git tree of the run's commit, if known. */
  tree: Sha | undefined;
  host: Pick<Host, 'clean' | 'clock' | 'report'>;
  /** Creates the run's own record. */
  record: () => Promise<void>;
  /** Prevents the run's own record. */
  forgo: () => void;
}

/** How long one query may take, in milliseconds: the deployment waits for it. */
const longestQuestion = 30_000;

/** The same for a query that may read every record. */
const longestSearch = 5 * 60_000;

/** How long to wait for the run's own record, in milliseconds. */
const longestRecording = 10_000;

/** How many of the newest runs of a series may be in progress. */
const mostOthers = 100;

/** The first record of each run: a request that took effect twice, or a copy, gives a run two. */
const firstOfRuns = (records: readonly KeptRecord[]): KeptRecord[] =>
  [...Map.groupBy(records, ({ mark }) => mark).values()].flatMap((some) => some.at(-1) ?? []);

/** Reads the GitHub deployments created by this action. */
class GitHubHistory implements DeployHistory {
  readonly #context: HistoryContext;
  /** The results of releases, which never change. */
  readonly #ends = new Map<number, ReleaseEnd>();
  readonly #compared = new Map<string, boolean>();

  constructor(context: HistoryContext) {
    this.#context = context;
  }

  async lastGood(signal: AbortSignal, projectId?: string): Promise<GoodRelease | undefined> {
    return await this.#query(this.#permission, signal, async (octokit) => {
      for await (const record of readRecords(octokit, this.#context.seal, this.#series)) {
        // The run's own has not ended.
        if (record.mark === this.#context.mark) continue;
        const end = await this.#endOf(octokit, record);
        if (end?.kind !== 'good') continue;
        if (projectId !== undefined && projectId.toLowerCase() !== end.projectId) continue;
        const { commit, id: recordId } = record;
        return { commit, projectId: end.projectId, isChecked: end.isChecked, recordId };
      }
      return undefined;
    });
  }

  async isOlder(commit: Sha, than: Sha, signal: AbortSignal): Promise<boolean | undefined> {
    if (commit === than) return false;
    const key = `${commit} ${than}`;
    const known = this.#compared.get(key);
    if (known !== undefined) return known;
    const comparison = await this.#query('contents: read', signal, (octokit) =>
      compareCommits(octokit, commit, than),
    );
    if (comparison === undefined) return undefined;
    if (comparison === 'diverged') {
      const text = safe`${unsafeText(commit)} and ${unsafeText(than)} have diverged, as after a force push: neither is older`;
      this.#context.host.report({ type: 'note', text });
    }
    const isOlder = comparison === 'ahead';
    this.#compared.set(key, isOlder);
    return isOlder;
  }

  async takenOff(signal: AbortSignal, commit: Sha, projectId?: string) {
    const { seal, host } = this.#context;
    const series = this.#series;
    const limit = AbortSignal.timeout(longestSearch);
    const query: Query = (permission, read) => this.#query(permission, signal, read, limit);
    return await query('deployments: read', async (octokit) =>
      findTakenOff(
        {
          records: () => readRecords(octokit, seal, series),
          endOf: (record) => this.#endOf(octokit, record),
          compare: (base, head) =>
            query('contents: read', (querying) => compareCommits(querying, base, head)),
          now: host.clock.now(),
        },
        commit,
        projectId,
      ),
    );
  }

  async others(signal: AbortSignal): Promise<readonly OtherRelease[]> {
    const { mark, host } = this.#context;
    const now = host.clock.now();
    return await this.#query(this.#permission, signal, async (octokit) => {
      const firsts = firstOfRuns(await this.#newest(octokit));
      const own = firsts.find((record) => record.mark === mark)?.id;
      const isAfter = ({ id }: { id: number }) => own !== undefined && id > own;
      const queried = firsts.filter(
        (record) => record.mark !== mark && (isAfter(record) || mayBeGoing(record, now)),
      );
      const others: OtherRelease[] = [];
      for (const record of queried) {
        const { id: recordId, commit } = record;
        const end = await this.#endOf(octokit, record);
        if (end?.kind === 'undeployed') continue;
        const isUnderWay = end === undefined && mayBeGoing(record, now);
        if (!isUnderWay && !isAfter(record)) continue;
        const isLater = own === undefined || isAfter(record);
        others.push({ commit, recordId, isUnderWay, isGood: end?.kind === 'good', isLater });
      }
      return others;
    });
  }

  async announce(): Promise<void> {
    const waiting = new AbortController();
    const limit = this.#context.host.clock.sleep(longestRecording, waiting.signal);
    await Promise.race([this.#context.record(), limit.catch(() => undefined)]);
    waiting.abort();
  }

  forgo(): void {
    this.#context.forgo();
  }

  async findVerified(commit: Sha, signal: AbortSignal) {
    const { seal, tree } = this.#context;
    const limit = AbortSignal.timeout(longestSearch);
    const query: Query = (permission, read) => this.#query(permission, signal, read, limit);
    return await findVerified(query, seal, { commit, tree });
  }

  /** The permission to write the run's own record includes reading the others. */
  get #permission(): Permission {
    return this.#context.mark === undefined ? 'deployments: read' : 'deployments: write';
  }

  get #series(): DeploymentSeries {
    const series = this.#context.series();
    if (series !== undefined) return series;
    const text = safe`github-deployment is false, so earlier deployments are not recorded`;
    throw new HistoryUnreadable(diagnose('SD8008', text));
  }

  /** The records of the newest runs of the series, newest first. Those of one run count as one. */
  async #newest(octokit: Octokit): Promise<KeptRecord[]> {
    const records: KeptRecord[] = [];
    const marks = new Set<string>();
    for await (const record of readRecords(octokit, this.#context.seal, this.#series)) {
      if (marks.size === mostOthers && !marks.has(record.mark)) break;
      marks.add(record.mark);
      records.push(record);
    }
    return records;
  }

  async #endOf(octokit: Octokit, record: KeptRecord): Promise<ReleaseEnd | undefined> {
    const known = this.#ends.get(record.id);
    if (known !== undefined) return known;
    const end = await readEnd(octokit, this.#context.seal, record);
    if (end !== undefined) this.#ends.set(record.id, end);
    return end;
  }

  async #query<Answer>(
    permission: Permission,
    signal: AbortSignal,
    read: (octokit: Octokit) => Promise<Answer>,
    longest = AbortSignal.timeout(longestQuestion),
  ): Promise<Answer> {
    const { access, host } = this.#context;
    if (access.token === '') {
      const text = safe`github-token is empty, so GitHub can't be queried for earlier deployments`;
      throw new HistoryUnreadable(diagnose('SD8008', text));
    }
    try {
      return await read(await openOctokit(access, AbortSignal.any([signal, longest])));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof HistoryUnreadable) throw error;
      const trouble = describeTrouble('read earlier deployments', error, permission);
      throw new HistoryUnreadable(
        reword(trouble, (text) => host.clean(text)),
        { cause: error, isLasting: permission.startsWith('deployments') && isLasting(error) },
      );
    }
  }
}

/** Opens the history of a series. It sends no request before the first query. */
export const openHistory = (context: HistoryContext): DeployHistory => new GitHubHistory(context);

/** Opens the history for a run that needs it. */
export function historyFor(
  facts: HistoryFacts,
  { values, record, sign }: DeployWork,
  { context }: Step<'deploy'>,
  recorder: Recorder,
  host: Host,
): DeployHistory {
  const access = accessOf(values, context);
  const seal = recordSealFor(values, context.repository);
  const { mark } = record.deployment ?? {};
  // A record with a claim is created when the preview's domain is assigned.
  const own = () => (sign === undefined ? recorder.beginDeployment() : recorder.recorded);
  const forgo = () => recorder.forgoDeployment();
  const series = () => facts.series;
  return openHistory({ ...facts, series, access, seal, mark, host, record: own, forgo });
}

/** For how many commits the tree is queried: the requests of a token are limited. */
const mostTrees = 300;

/** Queries GitHub; a denied request names the missing permission. */
type Query = <Answer>(
  permission: Permission,
  read: (octokit: Octokit) => Promise<Answer>,
) => Promise<Answer>;

type Nearest = Extract<Verified, { kind: 'missing' }>['nearest'];

/** From the farthest from a verified preview to the nearest. */
const nearness: readonly Nearest[] = ['nothing', 'other-files', 'not-good', 'unchecked'];

/** Searches records for a preview with a tree and passing checks. */
class Search {
  /** The nearest that was found. */
  nearest: Nearest = 'nothing';
  readonly #query: Query;
  readonly #seal: RecordSeal;
  readonly #trees = new Map<Sha, Sha | undefined>();

  constructor(query: Query, seal: RecordSeal) {
    this.#query = query;
    this.#seal = seal;
  }

  /** The tree of a commit, queried once; undefined if not known. */
  async treeOf(commit: Sha): Promise<Sha | undefined> {
    if (!this.#trees.has(commit) && this.#trees.size < mostTrees) {
      const tree = await this.#query('contents: read', (octokit) => readTree(octokit, commit));
      this.#trees.set(commit, tree);
    }
    return this.#trees.get(commit);
  }

  /** The newest preview with this tree and passing checks. */
  async find(tree: Sha, filter: RecordFilter): Promise<KeptRecord | undefined> {
    return await this.#query('deployments: read', async (octokit) => {
      for await (const record of readRecords(octokit, this.#seal, filter)) {
        const counts = record.isPreview && (await this.#judge(octokit, record, tree));
        if (counts) return record;
      }
      return undefined;
    });
  }

  /** True if a preview had the tree, and its checks passed. */
  async #judge(octokit: Octokit, record: KeptRecord, tree: Sha): Promise<boolean> {
    if ((record.tree ?? (await this.treeOf(record.commit))) !== tree) {
      this.#see('other-files');
      return false;
    }
    const end = await readEnd(octokit, this.#seal, record);
    if (end?.kind === 'good' && end.isChecked) return true;
    this.#see(end?.kind === 'good' ? 'unchecked' : 'not-good');
    return false;
  }

  #see(nearest: Nearest): void {
    if (nearness.indexOf(nearest) > nearness.indexOf(this.nearest)) this.nearest = nearest;
  }
}

/** The pull requests that GitHub associates with a commit, such as the one squashed into it. */
async function pullRequestsOf(query: Query, commit: Sha): Promise<PullRequest[]> {
  const found: PullRequest[] = [];
  const take = (one: PullRequest) => {
    found.push(one);
    return false;
  };
  await query('pull-requests: read', (octokit) => findPullRequest(octokit, commit, take));
  return found;
}

/**
 * Finds a recorded preview with the files of a commit and passing checks: first of the commit itself, then of its pull
 * requests' heads, then of any. Files are compared by the git tree, so a squash merge counts.
 */
async function findVerified(
  query: Query,
  seal: RecordSeal,
  { commit, tree: known }: { commit: Sha; tree: Sha | undefined },
): Promise<Verified> {
  const search = new Search(query, seal);
  const tree = known ?? (await search.treeOf(commit));
  if (tree === undefined) {
    const unknown = new StrangeAnswer(`GitHub does not know the commit ${commit}`);
    return await query('contents: read', () => Promise.reject(unknown));
  }
  const pullRequests = await pullRequestsOf(query, commit);
  const heads = new Set([commit, ...pullRequests.map(({ sha }) => sha)]);
  for (const head of heads) {
    const record = await search.find(tree, { commit: head });
    if (record !== undefined) return verifiedBy(record);
  }
  const { nearest } = search;
  const record = await search.find(tree, {});
  if (record !== undefined) return verifiedBy(record);
  const [first] = pullRequests;
  if (first === undefined)
    return { kind: 'missing', pullRequest: undefined, nearest: search.nearest };
  return { kind: 'missing', pullRequest: { number: first.number, head: first.sha }, nearest };
}

const verifiedBy = ({ commit, pullRequest }: KeptRecord): Verified => ({
  kind: 'verified',
  commit,
  pullRequest,
});
