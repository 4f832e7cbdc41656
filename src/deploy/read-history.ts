import type { Sha } from '../contract/commit.ts';
import { accessOf } from '../frame/access.ts';
import { recordSealFor } from '../frame/record-seal.ts';
import type { Host, Step } from '../frame/step.ts';
import { type GitHubAccess, type Octokit, openOctokit } from '../github-api/client.ts';
import {
  compareCommits,
  findCommit,
  type KeptRecord,
  readEnd,
  readRecords,
} from '../github-api/deployment-history.ts';
import type { DeploymentSeries } from '../github-api/deployments.ts';
import { describeTrouble, isLasting, type Permission } from '../github-api/errors.ts';
import { mayBeGoing, type RecordSeal, type ReleaseEnd } from '../github-api/model/record-seal.ts';
import { diagnose, reword } from '../kernel/diagnostic.ts';
import { safe, unsafeText } from '../kernel/text/safe.ts';
import {
  type DeployHistory,
  type GoodRelease,
  HistoryUnreadable,
  type OtherRelease,
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
  /** The branch or tag of the commit; undefined or empty if it is not known. */
  branch: string | undefined;
  /** Identifies the run's own record. */
  mark: string | undefined;
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

/** True if a record was made after the run's own; false if that is not known. */
const isAfter = ({ id }: KeptRecord, own: number | undefined): boolean =>
  own !== undefined && id > own;

/** Another run's release, by the end of its record. */
function toOther(
  record: KeptRecord,
  end: ReleaseEnd | undefined,
  { own, mayGo }: { own: number | undefined; mayGo: boolean },
): OtherRelease {
  const isUnderWay = end === undefined && mayGo;
  const isLater = own === undefined ? isUnderWay : isAfter(record, own);
  return {
    commit: record.commit,
    recordId: record.id,
    isUnderWay,
    isGood: end?.kind === 'good',
    isLater: isLater && end?.kind !== 'undeployed',
  };
}

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

  async isBranchHead(commit: Sha, signal: AbortSignal): Promise<boolean> {
    const { branch, host } = this.#context;
    if (branch === undefined || branch === '') return false;
    const head = await this.#query('contents: read', signal, (octokit) =>
      findCommit(octokit, `heads/${branch}`),
    );
    if (head !== commit) return false;
    const text = safe`${unsafeText(commit)} is the head of ${host.clean(branch)} now, so on-older does not apply`;
    host.report({ type: 'note', text });
    return true;
  }

  async takenOff(signal: AbortSignal, commit: Sha, projectId?: string) {
    const { seal, host, mark } = this.#context;
    const series = this.#series;
    const limit = AbortSignal.timeout(longestSearch);
    const query: Query = (permission, read) => this.#query(permission, signal, read, limit);
    return await query('deployments: read', async (octokit) =>
      findTakenOff(
        {
          // The run's own has not ended: it takes nothing off yet.
          async *records() {
            for await (const record of readRecords(octokit, seal, series)) {
              if (record.mark !== mark) yield record;
            }
          },
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
      const others: OtherRelease[] = [];
      for (const record of firsts.filter((one) => one.mark !== mark)) {
        const mayGo = mayBeGoing(record, now);
        const hasGood = others.some(({ isGood }) => isGood);
        if (hasGood && !mayGo && !isAfter(record, own)) continue;
        const other = toOther(record, await this.#endOf(octokit, record), { own, mayGo });
        if (other.isUnderWay || other.isLater || (other.isGood && !hasGood)) others.push(other);
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
      throw new HistoryUnreadable(diagnose('SD8008', text), { isLasting: true });
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
  { values, record }: DeployWork,
  { context }: Step<'deploy'>,
  recorder: Recorder,
  host: Host,
): DeployHistory {
  const access = accessOf(values, context);
  const seal = recordSealFor(values, context.repository);
  const { mark } = record.deployment ?? {};
  const own = () => recorder.beginDeployment();
  const forgo = () => recorder.forgoDeployment();
  const series = () => facts.series;
  return openHistory({ ...facts, series, access, seal, mark, host, record: own, forgo });
}

/** Queries GitHub; a denied request names the missing permission. */
type Query = <Answer>(
  permission: Permission,
  read: (octokit: Octokit) => Promise<Answer>,
) => Promise<Answer>;
