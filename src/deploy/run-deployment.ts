import type { GitHubAttempt } from '../comments/run-comment.ts';
import type { Sha } from '../contract/commit.ts';
import { type GitHubAccess, type Octokit, openOctokit } from '../github-api/client.ts';
import { readEnd } from '../github-api/deployment-history.ts';
import {
  allDone,
  createGitHubDeployment,
  type DeploymentRequest,
  endDeployments,
  findDeployment,
  isInactive,
  listDeployments,
  type MadeDeployment,
  maxRuns,
  readDeploymentState,
  retireDeployments,
  setDeploymentStatus,
  withoutNewer,
} from '../github-api/deployments.ts';
import { mayHaveReachedGitHub } from '../github-api/errors.ts';
import type { RecordSeal, ReleaseEnd, ReleaseFacts } from '../github-api/model/record-seal.ts';
import { outcomes } from '../kernel/outcome.ts';
import type { DeployReport } from '../release/model/report.ts';
import { describeRun } from './model/title.ts';
import { isVoid, verdict } from './model/verdict.ts';
import { findLive, recordsOf } from './releases.ts';

/** True if what was live before surely still is: no deployment was requested, or it failed and an earlier one is known. */
export function leavesLive(report: DeployReport): boolean {
  const { stage, serves } = verdict(report);
  return stage === 'not-requested' || (stage === 'failed' && serves !== 'unknown');
}

/**
 * The result of a release, for later runs. `good`: the deployment and each check succeeded. `rolled-back`: the older
 * commit is live again, or may be, also after an interruption or failed checks. `undeployed`: the service reported a
 * failure, or nothing was requested.
 */
function endOf(report: DeployReport): ReleaseEnd {
  const { outcome, checks = [], rollback } = report;
  const projectId = report.projectId?.toLowerCase();
  if (projectId !== undefined && rollback !== undefined && !isVoid(rollback)) {
    const isConfirmed = verdict(report).serves === 'earlier';
    return { kind: 'rolled-back', projectId, restored: rollback.commit, isConfirmed };
  }
  if (outcome !== 'succeeded' || projectId === undefined) {
    return { kind: isVoid(report) ? 'undeployed' : 'ended' };
  }
  const isChecked = checks.length > 0 && checks.every(({ passed }) => passed === true);
  return { kind: 'good', projectId, isChecked };
}

/** A GitHub Deployment to record, before it is signed. */
export type PlannedDeployment = Omit<DeploymentRequest, 'record'> & ReleaseFacts;

/** What a run's GitHub Deployment is created with. */
interface DeploymentContext {
  request: PlannedDeployment;
  /** Signs the record and its result. */
  recordSeal: RecordSeal;
  runUrl: string;
  access: GitHubAccess;
  attempt: GitHubAttempt;
  /** Receives its id as soon as there is one. */
  onDeployment: (id: number) => void;
}

/**
 * The URL of the run, with the signed result of the record in its fragment.
 *
 * @param before the good record before it; undefined if not known
 */
function endUrl(
  { request, recordSeal, runUrl }: DeploymentContext,
  id: number,
  report: DeployReport,
  before: number | undefined,
): string {
  const record = { commit: request.ref, ...request };
  const end = { ...endOf(report), ...(before !== undefined && { before }) };
  return `${runUrl}${recordSeal.signEnd(id, record, end)}`;
}

const permission = 'deployments: write';

/** What is read before a success is written. */
interface LastRead {
  /** The others of its series. */
  others: readonly MadeDeployment[];
  /** True if a newer one succeeded, or this one is inactive. */
  isOvertaken: boolean;
}

/** The GitHub Deployment of one run: created at its begin, and ended with it. */
export class RunDeployment {
  readonly #context: DeploymentContext;
  #id: number | undefined;
  /** True if it may exist although its id is not known. */
  #mayExist: boolean;
  /** Why its id is not known. */
  #lost: unknown;
  #lastRead: Promise<LastRead | undefined> = Promise.resolve(undefined);
  /** The good record before this one; 0 if there is none; undefined as long as it is not known. */
  #before: number | undefined;
  /** Whether the earlier ones are inactive, as far as already read. */
  readonly #wasInactive = new Map<number, boolean>();

  /** @param known what the main step has kept of it for its post step; absent in the main step */
  constructor(context: DeploymentContext, known?: { deploymentId: number | undefined }) {
    this.#context = context;
    this.#id = known?.deploymentId;
    this.#mayExist = known !== undefined;
  }

  /** Undefined until it is known. */
  get id(): number | undefined {
    return this.#id;
  }

  /** Creates it as in progress, and reads which earlier ones a success will replace. */
  async begin(signal: AbortSignal): Promise<void> {
    const { request, recordSeal, runUrl, access, attempt, onDeployment } = this.#context;
    await attempt('record the deployment', permission, async () => {
      const octokit = await openOctokit(access, signal);
      // What fails here is read again at the end, which reports a failure.
      const reading = this.#readEarlier(octokit).catch(() => undefined);
      const id = await createGitHubDeployment(octokit, {
        ...request,
        record: recordSeal.sign({ commit: request.ref, ...request }),
      }).catch((error: unknown) => {
        if (!mayHaveReachedGitHub(error)) throw error;
        this.#lost = error;
        this.#mayExist = true;
      });
      if (id === undefined) return;
      this.#id = id;
      onDeployment(id);
      await setDeploymentStatus(octokit, id, {
        state: 'in_progress',
        description: 'Deploying',
        logUrl: runUrl,
        environmentUrl: '',
      });
      await reading;
    });
  }

  /** The others of its series, the newest first. */
  async #listOthers(octokit: Octokit): Promise<MadeDeployment[]> {
    const { request, recordSeal } = this.#context;
    const listed = await listDeployments(octokit, request, recordSeal);
    return listed.filter(({ id }) => id !== this.#id);
  }

  async #readEarlier(octokit: Octokit): Promise<void> {
    const others = (await this.#listOthers(octokit)).filter((one) => !this.#isDouble(one));
    await Promise.all([
      this.#readBefore(octokit, others),
      ...others.map((one) => this.#wasInactiveOnce(octokit, one)),
    ]);
  }

  /** Reads once which of the others, newest first, succeeded last. */
  async #readBefore(octokit: Octokit, others: readonly MadeDeployment[]): Promise<void> {
    if (this.#before !== undefined) return;
    const { recordSeal } = this.#context;
    for (const one of others) {
      const record = this.#isDouble(one) ? undefined : recordSeal.open(one);
      // One that has started since is not before it.
      if (record === undefined || one.id > (this.#id ?? one.id)) continue;
      const end = await readEnd(octokit, recordSeal, { ...record, id: one.id });
      if (end?.kind !== 'good') continue;
      this.#before = one.id;
      return;
    }
    // A full list may not reach back to it.
    if (others.length < maxRuns - 1) this.#before = 0;
  }

  /** Whether another one is inactive; read once. */
  async #wasInactiveOnce(octokit: Octokit, { id }: MadeDeployment): Promise<boolean> {
    const known = this.#wasInactive.get(id) ?? (await isInactive(octokit, id));
    this.#wasInactive.set(id, known);
    return known;
  }

  /** Reads whether a newer one replaced it, before anything is written at the end. */
  async #readOthers(octokit: Octokit, id: number): Promise<LastRead> {
    const [others, isRetired] = await Promise.all([
      this.#listOthers(octokit),
      isInactive(octokit, id),
    ]);
    return { others, isOvertaken: isRetired || (await this.#hasSuccessor(octokit, id, others)) };
  }

  #isDouble({ mark }: MadeDeployment): boolean {
    return mark === this.#context.request.mark;
  }

  /** True if one of the others is newer and succeeded; not if it was skipped, failed or is in progress. */
  async #hasSuccessor(
    octokit: Octokit,
    id: number,
    others: readonly MadeDeployment[],
  ): Promise<boolean> {
    const newer = others.filter((one) => one.id > id && !this.#isDouble(one));
    const ended = await Promise.all(newer.map((one) => this.#endedWell(octokit, one)));
    return ended.includes(true);
  }

  /** Whether another one succeeded: by its signature, or by its state if it was signed with another key. */
  async #endedWell(octokit: Octokit, one: MadeDeployment): Promise<boolean> {
    const { recordSeal } = this.#context;
    const record = recordSeal.open(one);
    if (record === undefined) return (await readDeploymentState(octokit, one.id)) === 'success';
    return (await readEnd(octokit, recordSeal, { ...record, id: one.id }))?.kind === 'good';
  }

  /**
   * The live commit by the other records of its series.
   *
   * @param projectId only releases of this project
   * @returns undefined if not known
   */
  async findEarlier(
    projectId: string,
    isShared: boolean,
    signal: AbortSignal,
  ): Promise<Sha | undefined> {
    const { access, recordSeal, request } = this.#context;
    const octokit = await openOctokit(access, signal);
    const records = recordsOf(octokit, recordSeal, request, isShared);
    return await findLive(records, request.mark, projectId);
  }

  /** Begins the last read before {@link end}, in parallel with other requests. */
  beginLastRead(signal: AbortSignal): void {
    const id = this.#id;
    if (id === undefined) return;
    const reading = openOctokit(this.#context.access, signal).then((octokit) =>
      this.#readOthers(octokit, id),
    );
    // After a failure `end` reads again, and reports it.
    this.#lastRead = reading.catch(() => undefined);
  }

  /** Sets its result; after a clean-up those of the preview become inactive. */
  async end(report: DeployReport, signal: AbortSignal): Promise<void> {
    const { access, attempt } = this.#context;
    await this.#find(signal);
    const id = this.#id;
    const isCleanUp = report.outcome === 'cleaned-up';
    if (id === undefined && !isCleanUp) return;
    await attempt('record the end of the deployment', permission, async () => {
      const octokit = await openOctokit(access, signal);
      if (id === undefined) await this.#endPreview(octokit);
      else await this.#setEnd(octokit, id, report);
    });
  }

  /** Ends the preview's deployments, but not those of newer runs. */
  async #endPreview(octokit: Octokit): Promise<void> {
    const { request, recordSeal, runUrl } = this.#context;
    const made = await listDeployments(octokit, request, recordSeal);
    await endDeployments(octokit, withoutNewer(made, recordSeal, request.runId), runUrl);
  }

  /** Searches for one whose id was lost: its request may still have taken effect. */
  async #find(signal: AbortSignal): Promise<void> {
    const { request, access, attempt } = this.#context;
    if (this.#id !== undefined || !this.#mayExist) return;
    await attempt('record the deployment', permission, async () => {
      const octokit = await openOctokit(access, signal);
      this.#id = await findDeployment(octokit, request);
      if (this.#id === undefined && this.#lost !== undefined) throw this.#lost;
    });
  }

  /**
   * Sets its final state. A success replaces the earlier ones, but never a newer success. It is written between two reads
   * for a newer success, and before the earlier ones become inactive: if two runs end at the same time, the older one
   * reads the newer one's success, or gets its `inactive` after its own success. A duplicate, from a request that took
   * effect twice, becomes inactive.
   */
  async #setEnd(octokit: Octokit, id: number, report: DeployReport): Promise<void> {
    const state = outcomes[report.outcome].gitHub;
    const words = {
      description: describeRun(report),
      environmentUrl: verdict(report).url,
    };
    const statusNow = () => ({
      state,
      logUrl: endUrl(this.#context, id, report, this.#before),
      ...words,
    });
    const retireDoubles = async (others: readonly MadeDeployment[]) => {
      const doubles = others.filter((one) => this.#isDouble(one));
      await this.#retire(octokit, doubles, report);
    };
    if (state !== 'success') {
      const retiring = this.#listOthers(octokit).then(retireDoubles);
      await allDone([setDeploymentStatus(octokit, id, statusNow()), retiring]);
      return;
    }
    const { others, isOvertaken } = (await this.#lastRead) ?? (await this.#readOthers(octokit, id));
    // A result without the record before it only matters to PREVIOUS, which reports it as a gap.
    await this.#readBefore(octokit, others).catch(() => undefined);
    const status = statusNow();
    const yieldToNewer = { ...status, state: 'inactive' } as const;
    if (isOvertaken) {
      await allDone([setDeploymentStatus(octokit, id, yieldToNewer), retireDoubles(others)]);
      return;
    }
    await setDeploymentStatus(octokit, id, status);
    const earlier = others.filter((one) => one.id < id || this.#isDouble(one));
    const yieldIfOvertaken = async () => {
      const now = await this.#listOthers(octokit);
      if (await this.#hasSuccessor(octokit, id, now)) {
        await setDeploymentStatus(octokit, id, yieldToNewer);
      }
    };
    await allDone([yieldIfOvertaken(), this.#retire(octokit, earlier, report)]);
  }

  /** Sets those of the others inactive that are not yet. */
  async #retire(
    octokit: Octokit,
    others: readonly MadeDeployment[],
    report: DeployReport,
  ): Promise<void> {
    const isReplaced = outcomes[report.outcome].gitHub === 'success';
    const description = isReplaced ? 'Replaced by a newer deployment' : describeRun(report);
    const isDone = await Promise.all(others.map((one) => this.#wasInactiveOnce(octokit, one)));
    await retireDeployments(
      octokit,
      others.filter((_, index) => isDone[index] !== true),
      { description, logUrl: this.#context.runUrl },
    );
  }
}
