import type { GitHubAttempt } from '../comments/run-comment.ts';
import type { Sha } from '../contract/commit.ts';
import { type GitHubAccess, type Octokit, openOctokit } from '../github/client.ts';
import {
  allDone,
  createGitHubDeployment,
  type DeploymentRequest,
  findDeployment,
  retireDeployments,
  setDeploymentStatus,
} from '../github/deployments.ts';
import { mayHaveReachedGitHub } from '../github/errors.ts';
import type { RecordSigner, ReleaseEnd, ReleaseFacts } from '../github/model/record-signer.ts';
import { titleOf } from '../report/closing.ts';
import {
  doublesOf,
  goodBefore,
  isFollowed,
  type KeptRecord,
  type Known,
  type LiveBefore,
  live,
  liveBefore,
  mayBeReplaced,
  replacedByOwn,
  unended,
} from './decisions.ts';
import { Series } from './series.ts';

/** A GitHub Deployment to record, before it is signed. */
export type PlannedDeployment = Omit<DeploymentRequest, 'record'> & ReleaseFacts;

/** What a run's own record is made with. */
interface RecordContext {
  request: PlannedDeployment;
  /** Signs the record and its result. */
  recordSigner: RecordSigner;
  /** The records of its series. */
  series: Series;
  runUrl: string;
  access: GitHubAccess;
  attempt: GitHubAttempt;
  /** Saves its id as soon as there is one. */
  journal: (part: { deploymentId: number }) => void;
}

/** How a run ended, as its record tells it. */
interface RecordedEnd {
  state: 'success' | 'failure' | 'error' | 'inactive';
  description: string;
  environmentUrl: string;
  end: ReleaseEnd;
}

/** How far the record is. `lost`: it may exist, but its id is not known; why, if this process knows. */
type Stage =
  | { kind: 'waiting' | 'creating' | 'given-up' }
  | { kind: 'lost'; why: unknown }
  | { kind: 'created'; id: number };

const permission = 'deployments: write';

/** The GitHub Deployment of one run: created once the run may deploy, and ended with it. */
export class OwnRecord {
  readonly #context: RecordContext;
  #stage: Stage;
  #creating: Promise<void> = Promise.resolve();
  readonly #exists = Promise.withResolvers<void>();
  /** Whether a newer one has replaced it, read before the success is written. */
  #isReplaced: Promise<boolean | undefined> = Promise.resolve(undefined);
  /** The good record before it; 0 if there is none; undefined as long as it is not known. */
  #before: number | undefined;
  #liveBefore: LiveBefore | undefined;

  /** @param known what the main step has kept of it for its post step; absent in the main step */
  constructor(context: RecordContext, known?: { deploymentId: number | undefined }) {
    this.#context = context;
    const id = known?.deploymentId;
    if (id !== undefined) this.#stage = { kind: 'created', id };
    else this.#stage = known ? { kind: 'lost', why: undefined } : { kind: 'waiting' };
  }

  /** Undefined until it is known. */
  get id(): number | undefined {
    return this.#stage.kind === 'created' ? this.#stage.id : undefined;
  }

  /** What was live before it, once its creation is over; undefined if that is not known, or it was not created. */
  async findLiveBefore(): Promise<LiveBefore | undefined> {
    await this.#creating;
    return this.id === undefined ? undefined : this.#liveBefore;
  }

  /** Creates it as in progress, once. @returns a promise that resolves once that is done, or its failure was reported */
  ensureCreated(signal: AbortSignal): Promise<void> {
    if (this.#stage.kind === 'waiting') {
      this.#stage = { kind: 'creating' };
      this.#creating = this.#create(signal);
      void this.#creating.then(this.#exists.resolve, this.#exists.resolve);
    }
    return this.#creating;
  }

  /** Resolves once other runs can read it, which is before it is in progress; or there is none. */
  get exists(): Promise<void> {
    return this.#stage.kind === 'creating' ? this.#exists.promise : Promise.resolve();
  }

  /** Prevents its creation. @returns false if that was requested: then it is ended with the run */
  giveUp(): boolean {
    if (this.#stage.kind !== 'waiting') return false;
    this.#stage = { kind: 'given-up' };
    return true;
  }

  async #create(signal: AbortSignal): Promise<void> {
    const { request, recordSigner, runUrl, access, attempt, journal } = this.#context;
    await attempt('record the deployment', permission, async () => {
      const octokit = await openOctokit(access, signal);
      // What fails here is read again at the end.
      const reading = this.#readBefore(signal).catch(() => undefined);
      const id = await createGitHubDeployment(octokit, {
        ...request,
        record: recordSigner.sign({ commit: request.ref, ...request }),
      }).catch((why: unknown) => {
        const isLost = mayHaveReachedGitHub(why);
        this.#stage = isLost ? { kind: 'lost', why } : { kind: 'given-up' };
        if (!isLost) throw why;
      });
      if (id === undefined) return;
      this.#stage = { kind: 'created', id };
      this.#exists.resolve();
      journal({ deploymentId: id });
      await setDeploymentStatus(octokit, id, {
        state: 'in_progress',
        description: 'Deploying',
        logUrl: runUrl,
        environmentUrl: '',
      });
      await reading;
    });
  }

  async #readBefore(signal: AbortSignal): Promise<void> {
    if (this.#before !== undefined) return;
    const both = (known: Known) =>
      [goodBefore(known, this.id), liveBefore(known, this.id)] as const;
    [this.#before, this.#liveBefore] = await this.#context.series.decide(both, { signal });
  }

  /**
   * The live commit by the other records of its series, and by those of others that release to the same project.
   *
   * @param isShared true if series with other keys do
   * @returns undefined if not known
   */
  async findEarlier(
    projectId: string,
    isShared: boolean,
    signal: AbortSignal,
  ): Promise<Sha | undefined> {
    const { series, access, recordSigner: signer, request } = this.#context;
    const found = await series.decide(live, { signal, projectId, fresh: true });
    if (found === undefined) return undefined;
    const isElsewhere = ({ environment, key }: KeptRecord) =>
      (environment !== request.environment || key !== request.key) &&
      (isShared || key.toLowerCase().includes(projectId.toLowerCase()));
    const isReplaced = await new Series({ access, signer }, {}).decide(
      (known) => mayBeReplaced(known, found.record, isElsewhere),
      { signal, projectId },
    );
    return isReplaced ? undefined : found.commit;
  }

  /** Begins to read what {@link end} needs before a success, in parallel with other requests. */
  beginLastRead(signal: AbortSignal): void {
    const { id } = this;
    if (id === undefined) return;
    // What fails is read again, and reported then.
    this.#isReplaced = this.#readIfReplaced(id, signal).catch(() => undefined);
    void this.#context.series
      .decide((known) => replacedByOwn(known, id), { signal })
      .catch(() => undefined);
  }

  /** Whether a newer one succeeded, or this one is inactive. */
  async #readIfReplaced(id: number, signal: AbortSignal): Promise<boolean> {
    const { series } = this.#context;
    const replaced = await Promise.all([
      series.decide((known) => isFollowed(known, id), { signal, fresh: true }),
      series.decide((known) => known.stateNow(id) === 'inactive', { signal }),
    ]);
    return replaced.includes(true);
  }

  /** Records how the run ended, if the record exists. */
  async end(how: RecordedEnd, signal: AbortSignal): Promise<void> {
    const { access, attempt } = this.#context;
    // What goes on next to a part that failed may not have asked for it yet, and must not now; or has just asked for it.
    this.giveUp();
    await this.#creating;
    await this.#find(signal);
    const { id } = this;
    if (id === undefined) return;
    await attempt('record the end of the deployment', permission, async () =>
      this.#setEnd(await openOctokit(access, signal), id, how, signal),
    );
  }

  /** Searches for it if its id was lost: its request may still have taken effect. */
  async #find(signal: AbortSignal): Promise<void> {
    const { request, access, attempt } = this.#context;
    if (this.#stage.kind !== 'lost') return;
    const { why } = this.#stage;
    await attempt('record the deployment', permission, async () => {
      const id = await findDeployment(await openOctokit(access, signal), request);
      if (id !== undefined) this.#stage = { kind: 'created', id };
      else if (why !== undefined) throw why;
    });
  }

  /**
   * Sets its final state. A success replaces the earlier ones, but never a newer success. It is written between two reads
   * for a newer success, and before the earlier ones become inactive: if two runs end at the same time, the older one
   * reads the newer one's success, or gets its `inactive` after its own success. A duplicate, from a request that took
   * effect twice, becomes inactive.
   */
  async #setEnd(
    octokit: Octokit,
    id: number,
    { state, end, ...words }: RecordedEnd,
    signal: AbortSignal,
  ): Promise<void> {
    const { request, recordSigner, series, runUrl } = this.#context;
    const set = async (as: RecordedEnd['state']) => {
      const before = this.#before;
      const whole = { ...end, ...(before !== undefined && { before }) };
      const fragment = recordSigner.signEnd(id, { commit: request.ref, ...request }, whole);
      await setDeploymentStatus(octokit, id, {
        state: as,
        logUrl: `${runUrl}${fragment}`,
        ...words,
      });
    };
    const isSuccess = state === 'success';
    const description = isSuccess ? 'Replaced by a newer deployment' : words.description;
    const retire = (records: readonly { id: number }[]) =>
      retireDeployments(octokit, records, { description, logUrl: runUrl });
    const retireDoubles = async (fresh?: true) =>
      retire(await series.decide((known) => doublesOf(known, id), { signal, fresh }));
    if (!isSuccess) {
      await allDone([set(state), retireDoubles(true)]);
      return;
    }
    const isReplaced = (await this.#isReplaced) ?? (await this.#readIfReplaced(id, signal));
    // A result without the record before it only matters to PREVIOUS, which reports it as a gap.
    await this.#readBefore(signal).catch(() => undefined);
    if (isReplaced) {
      await allDone([set('inactive'), retireDoubles()]);
      return;
    }
    // By the read before the success: that after it is about newer ones.
    const replacing = series.decide((known) => replacedByOwn(known, id), { signal });
    replacing.catch(() => undefined);
    await set('success');
    const yieldIfFollowed = async () => {
      const isNow = await series.decide((known) => isFollowed(known, id), { signal, fresh: true });
      if (isNow) await set('inactive');
    };
    await allDone([retireDoubles(), replacing.then(retire), yieldIfFollowed()]);
  }
}

/** Sets the records of a removed preview inactive, as far as they are not yet, but not those of newer runs. */
export async function endRecords(
  {
    series,
    runUrl: logUrl,
    access,
    attempt,
  }: Omit<RecordContext, 'request' | 'recordSigner' | 'journal'>,
  runId: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  await attempt('record the end of the deployment', permission, async () => {
    const records = await series.decide((known) => unended(known, runId), { signal });
    const octokit = await openOctokit(access, signal);
    await retireDeployments(octokit, records, { description: titleOf('cleaned-up'), logUrl });
  });
}
