import { type RunCommit, shaOf } from '../contract/commit.ts';
import type { Deployment } from '../contract/project.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { type SafeText, safe } from '../kernel/text/safe.ts';
import { ServiceError } from '../service/errors.ts';
import type { Run } from '../step/step.ts';
import type { ReleaseContext } from './context.ts';
import type { Release } from './model/report.ts';

/** A deployment to request. */
interface DeploymentOrder {
  projectId: string;
  commit: RunCommit;
}

/** Adds to what is known of the release; undefined: it was refused, so there is none. */
export type ReleaseUpdate = (part: Partial<Release> | undefined) => void;

/** A deployment that was accepted. */
interface AcceptedDeployment {
  deployment: Deployment;
  /** Why the commit may have been deployed twice; absent if it was surely requested once. */
  uncertainty?: SafeText;
}

/** The service has already received the key: from an earlier try, whose response was lost. */
const keyIsUsed = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.status === 409;

/** Sends the request, and records which tries may have arrived without a usable response. */
class Posting {
  /** The last try that may have arrived without a usable response. */
  lost: ServiceError | undefined;
  /** True if it was sent with another key, too. */
  hasOtherKey = false;
  readonly #send: (operation: string) => Promise<Deployment>;

  constructor({ client, keyFor }: Run, { projectId, commit }: DeploymentOrder) {
    const sha = shaOf(commit);
    const version = sha === undefined ? {} : { versionId: sha };
    this.#send = (operation) => {
      const idempotencyKey = keyFor(operation, `${projectId} ${commit}`);
      const body = { ...version, idempotencyKey };
      return client.createDeployment(projectId, body, (error) => {
        this.lost = error;
      });
    };
  }

  /** Sends it; a success with an unusable body is a lost response, so it is sent once more. */
  async send(): Promise<Deployment> {
    try {
      return await this.#send('deploy');
    } catch (error) {
      if (!(error instanceof ServiceError && error.effect === 'done')) throw error;
      this.lost = error;
      return await this.#send('deploy');
    }
  }

  /** Sends it with another key. */
  async sendAnew(): Promise<Deployment> {
    this.hasOtherKey = true;
    return await this.#send('deploy again');
  }
}

/** Why the commit may be deployed twice; undefined if it was requested once. */
function describeUncertainty(
  { lost, hasOtherKey }: Posting,
  followed: SafeText,
): SafeText | undefined {
  if (lost === undefined) return undefined;
  const what = lost.effect === 'done' ? safe`was unusable` : safe`got lost`;
  const how = hasOtherKey
    ? safe`the service returned 409 to the retry, so it was sent again with another key`
    : safe`it was sent again with the same key, which the service may ignore`;
  return safe`The commit may be deployed twice: a response to the deployment request ${what}, and ${how}. Following deployment ${followed}. (${lost.message})`;
}

/**
 * Posts the deployment. A 409 after a lost response means that the service has the key, and the id was lost with the
 * response: a second deployment of the same commit is harmless and can be followed. It is reported.
 *
 * @throws ServiceError if it was not accepted, as far as is known
 */
async function requestDeployment(run: Run, request: DeploymentOrder): Promise<AcceptedDeployment> {
  const posting = new Posting(run, request);
  const withEarlier = (error: unknown): never => {
    if (!(error instanceof ServiceError) || posting.lost === undefined) throw error;
    throw new ServiceError({ earlier: posting.lost, ...error.details });
  };
  const deployment = await posting
    .send()
    .catch((error: unknown) => {
      if (posting.lost === undefined || !keyIsUsed(error)) throw error;
      return posting.sendAnew();
    })
    .catch(withEarlier);
  const uncertainty = describeUncertainty(posting, run.host.clean(deployment.deploymentId));
  if (uncertainty === undefined) return { deployment };
  run.host.report({ type: 'note', text: uncertainty });
  return { deployment, uncertainty };
}

/** How long the service may take to see a push, in milliseconds, and the first pause before a retry. */
const longestWait = 60_000;
const firstPause = 500;
const longestPause = 5000;

/** Statuses for a commit that is not in the service's version history; nothing was started then. */
const unknownVersion: ReadonlySet<number> = new Set([400, 404, 422]);

const mayBeUnfetched = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && !error.mayHaveArrived && unknownVersion.has(error.status ?? 0);

/**
 * Posts the deployment. For a commit that this run has pushed it retries for a while if the service does not know it,
 * which may see a push late.
 *
 * @param pushed true if this run has pushed it
 */
export async function postWhenVisible(
  run: ReleaseContext,
  pushed: boolean,
  update: ReleaseUpdate,
): Promise<AcceptedDeployment> {
  const { host, request } = run;
  const { commit } = request;
  const end = host.clock.now() + longestWait;
  for (let tries = 1, pause = firstPause; ; tries += 1, pause = Math.min(2 * pause, longestPause)) {
    try {
      return await postOnce(keyedFor(run, tries), update);
    } catch (error) {
      if (!pushed || !mayBeUnfetched(error)) throw withPush(error, pushed, commit);
      const next = error.pauseAfter(pause);
      if (host.clock.now() + next > end) {
        const text = safe`The commit was pushed to ${host.clean(request.pusher?.branch ?? '')}, but the service did not know it a minute later. If the service only knows its default branch, set git-branch to that.`;
        host.report({ type: 'warning', diagnostic: diagnose('SD3101', text) });
        throw withPush(error, pushed, commit);
      }
      if (tries === 1) {
        const text = safe`The service does not know the pushed commit yet; retrying for a minute. ${error.message}`;
        host.report({ type: 'note', text });
      }
      await host.clock.sleep(next, host.signal);
    }
  }
}

/** Posts the deployment once. A refused one does not count as requested. */
async function postOnce(run: ReleaseContext, update: ReleaseUpdate): Promise<AcceptedDeployment> {
  const { request, projectId } = run;
  update({ stage: 'requested' });
  try {
    return await requestDeployment(run, { projectId, commit: request.commit });
  } catch (error) {
    if (error instanceof ServiceError && !error.mayHaveArrived) update(undefined);
    throw error;
  }
}

/** The error, with the push that its advice need not mention. */
function withPush(error: unknown, pushed: boolean, commit: RunCommit): unknown {
  if (!(error instanceof ServiceError)) return error;
  if (!pushed && shaOf(commit) !== undefined) return error;
  return new ServiceError({ ...error.details, push: pushed ? 'done' : 'not-needed' });
}

/** The run with other keys for each try: a service may repeat a key's first response, even a refusal. */
function keyedFor(run: ReleaseContext, tries: number): ReleaseContext {
  if (tries === 1) return run;
  return { ...run, keyFor: (operation, target) => run.keyFor(operation, `${target} ${tries}`) };
}
