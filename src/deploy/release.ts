import { resultOf } from '../checks/apply.ts';
import type { CheckResult } from '../checks/result.ts';
import { type RunCommit, shaOf } from '../contract/commit.ts';
import type { Environment } from '../contract/environment.ts';
import type { Deployment } from '../contract/project.ts';
import { type Followed, type FollowedSubject, follow } from '../follow/follow.ts';
import { readAnswer, readStreamEvent } from '../follow/model/evaluate.ts';
import { createStatusReader, foldStatus, type StatusReading } from '../follow/model/status.ts';
import { diagnose, printed } from '../kernel/diagnostic.ts';
import { fillTemplate, sentence } from '../kernel/text/format.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import { ServiceError } from '../service/errors.ts';
import type { RunOutcome } from '../step/run-outcome.ts';
import type { Host, Run } from '../step/step.ts';
import { runtimeState } from '../variables/result.ts';
import { BuildLog, decisiveLine } from './build-log.ts';
import type { ReleaseContext } from './context.ts';
import type { Release } from './model/report.ts';
import { failureOfChecks, gatherEvidence, verify } from './verify.ts';

/** What a deployment needs. */
interface ReleaseOptions {
  /** As last read, after the run's writes; absent: production's state confirms nothing, as in a rollback. */
  environment?: Environment;
  /** True if the checks can confirm a success. */
  checksProve: boolean;
  /** True if this run has pushed the commit. */
  pushed: boolean;
}

/** The outcome of a release, and the results of its checks if one of them failed. */
type Released = RunOutcome & { failedChecks?: readonly CheckResult[] };

/** Deploys the commit, follows it to its end, and then, once nothing more is read of its status, runs its checks. */
export async function release(run: ReleaseContext, options: ReleaseOptions): Promise<Released> {
  const { checks, section } = run;
  const update: ReleaseUpdate = (part) => {
    section.release = part && { stage: 'requested', ...section.release, ...part };
    if (part === undefined || part.stage !== undefined) run.recorder?.save(run.report);
  };
  const deployed = await run.phase('deployment', () => deployCommit(run, options, update));
  const { confirmedBy, ...outcome } = deployed;
  const stage = outcome.outcome;
  if (confirmedBy !== undefined) update({ confirmedBy });
  if (stage === 'succeeded' || stage === 'failed') update({ stage });
  if (stage !== 'succeeded' || checks === undefined) return outcome;
  // A deployment that its checks have confirmed has passed them.
  if (confirmedBy !== 'site') {
    const { results, failure } = await verify(run);
    return failure === undefined ? outcome : { ...failure, failedChecks: results };
  }
  const results = checks.all.map((one) => resultOf(one, one.check === undefined ? null : true));
  section.checks = results;
  return failureOfChecks(run, checks, results) ?? outcome;
}

/** The outcome of a deployment, and what confirmed it. */
type Deployed = RunOutcome & Pick<Release, 'confirmedBy'>;

async function deployCommit(
  run: ReleaseContext,
  { environment, checksProve, pushed }: ReleaseOptions,
  update: ReleaseUpdate,
): Promise<Deployed> {
  const { host, request, projectId, report: open } = run;
  const { wait } = request;
  const { deployment, uncertainty } = await postWhenVisible(run, pushed, update);
  const { deploymentId } = deployment;
  const status = deployment.status ?? 'accepted';
  const acceptedAt = host.clock.now();
  const id = host.clean(deploymentId);
  let lastStep: SafeText | undefined;
  const read = createStatusReader(request.customStatuses);
  let lastStatus = host.clean(status);
  const showStatus = (status: SafeText) => {
    if (status !== lastStatus) lastStep = lastStatus;
    lastStatus = status;
    update({ deployment: { id, status }, lastStep });
  };
  showStatus(lastStatus);
  update({ stage: 'under-way', uncertainty });
  host.report({ type: 'deployment-accepted', deploymentId: id });
  if (wait === 'none') return { outcome: 'accepted' };
  const ids = {
    projectId: encodeURIComponent(projectId),
    deploymentId: encodeURIComponent(deploymentId),
  };
  const report: Host['report'] = (progress) => {
    if (progress.type === 'status') showStatus(progress.status);
    host.report(progress);
  };
  const watched = { ...run, host: { ...host, report } };
  const paths = {
    statusPath: fillTemplate(request.statusPath, ids),
    eventsPath: fillTemplate(request.eventsPath, ids),
  };
  const wasPending = runtimeState(environment).pending === true;
  const log = new BuildLog(host);
  const reportUnknown = createUnknownReporter(host);
  const followed = await follow(watched, {
    subject: deploymentSubject(watched, { ...paths, deploymentId, read, log }),
    wait,
    status,
    acceptedAt,
    read,
    onUnknown: (word) => {
      update({ unknownStatus: word });
      reportUnknown(word);
    },
    watch: (tracker, signal) => {
      const evidence = { ...watched, tracker, wasPending, checksProve, signal };
      open.waiting = { for: 'status', evidence };
      return gatherEvidence(evidence);
    },
    rest: async ({ outcome }, _tracker, signal) => {
      if (outcome !== 'failed') return;
      // Set now, because the run may be interrupted while it waits for the log.
      update({ stage: outcome });
      if (wait !== 'poll') await log.rest(signal);
    },
  });
  showStatus(followed.status);
  open.waiting = { for: 'nothing' };
  if (followed.outcome === 'failed' && log.lines.length > 0) update({ log: log.lines });
  return outcomeOf(followed, log.lines);
}

/** Adds to what is known of the release; undefined: it was refused, so there is none. */
type ReleaseUpdate = (part: Partial<Release> | undefined) => void;

/** A deployment that was accepted. */
interface AcceptedDeployment {
  deployment: Deployment;
  /** Why the commit may have been deployed twice; undefined if it was surely requested once. */
  uncertainty: SafeText | undefined;
}

/** How long the service may take to see a push, in milliseconds, and the first pause before a retry. */
const longestWait = 60_000;
const firstPause = 500;
const longestPause = 5000;

/** Statuses for a commit that is not in the service's version history; nothing was started then. */
const unknownVersion: ReadonlySet<number> = new Set([400, 404, 422]);

/**
 * Posts the deployment. For a commit that this run has pushed it retries for a while if the service does not know it,
 * which may see a push late.
 *
 * @param pushed true if this run has pushed it
 */
async function postWhenVisible(
  run: ReleaseContext,
  pushed: boolean,
  update: ReleaseUpdate,
): Promise<AcceptedDeployment> {
  const { host, request } = run;
  const { commit } = request;
  const end = host.clock.now() + longestWait;
  const lost: LostRequests = { hasOtherKey: false };
  for (let tries = 1, pause = firstPause; ; tries += 1, pause = Math.min(2 * pause, longestPause)) {
    update({ stage: 'requested' });
    try {
      // Another key for each try: a service may repeat a key's first response, even a refusal.
      return await postDeployment(run, tries === 1 ? '' : ` ${tries}`, lost);
    } catch (error) {
      // A refused one does not count as requested.
      if (error instanceof ServiceError && !error.mayHaveArrived) update(undefined);
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
      lost.hasOtherKey = lost.last !== undefined;
      await host.clock.sleep(next, host.signal);
    }
  }
}

/** A request that was lost before came too early, too; if it did not, the commit is deployed twice, which is reported. */
const mayBeUnfetched = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && unknownVersion.has(error.status ?? 0);

/** The error, with the push that its advice need not mention. */
function withPush(error: unknown, pushed: boolean, commit: RunCommit): unknown {
  if (!(error instanceof ServiceError)) return error;
  if (!pushed && shaOf(commit) !== undefined) return error;
  return new ServiceError({ ...error.details, push: pushed ? 'done' : 'not-needed' });
}

/** Which requests of a deployment may have arrived without a usable response. */
interface LostRequests {
  last?: ServiceError;
  /** True if it was sent with another key, too. */
  hasOtherKey: boolean;
}

/**
 * Posts the deployment. A 409 after a lost response means that the service has the key, and the id was lost with the
 * response: a second deployment of the same commit is harmless and can be followed. It is reported.
 *
 * @param keySuffix distinguishes the keys of this try
 * @param lost what was lost in earlier tries, to which this one adds
 * @throws ServiceError if it was not accepted, as far as is known
 */
async function postDeployment(
  { client, host, keyFor, request: { commit }, projectId }: ReleaseContext,
  keySuffix: string,
  lost: LostRequests,
): Promise<AcceptedDeployment> {
  const sha = shaOf(commit);
  const version = sha === undefined ? {} : { versionId: sha };
  const post = async (operation: string) => {
    const idempotencyKey = keyFor(operation, `${projectId} ${commit}${keySuffix}`);
    return await client.createDeployment(projectId, { ...version, idempotencyKey }, (error) => {
      lost.last = error;
    });
  };
  const deployment = await post('deploy')
    .catch((error: unknown) => {
      // A success with an unusable body is a lost response.
      if (!(error instanceof ServiceError && error.effect === 'done')) throw error;
      lost.last = error;
      return post('deploy');
    })
    .catch((error: unknown) => {
      const isKeyUsed = error instanceof ServiceError && error.status === 409;
      if (lost.last === undefined || !isKeyUsed) throw error;
      lost.hasOtherKey = true;
      return post('deploy again');
    })
    .catch((error: unknown) => {
      if (!(error instanceof ServiceError) || lost.last === undefined) throw error;
      throw new ServiceError({ earlier: lost.last, ...error.details });
    });
  const uncertainty = describeUncertainty(lost, host.clean(deployment.deploymentId));
  if (uncertainty !== undefined) host.report({ type: 'note', text: uncertainty });
  return { deployment, uncertainty };
}

/** Why the commit may be deployed twice; undefined if it was requested once. */
function describeUncertainty(
  { last, hasOtherKey }: LostRequests,
  followed: SafeText,
): SafeText | undefined {
  if (last === undefined) return undefined;
  const what = last.effect === 'done' ? safe`was unusable` : safe`got lost`;
  const how = hasOtherKey
    ? safe`the service refused the retry, so it was sent again with another key`
    : safe`it was sent again with the same key, which the service may ignore`;
  return safe`The commit may be deployed twice: a response to the deployment request ${what}, and ${how}. Following deployment ${followed}. (${last.message})`;
}

/** A deployment to follow, and its paths. */
interface FollowedDeployment extends Pick<FollowedSubject, 'statusPath' | 'eventsPath'> {
  deploymentId: string;
  read: (word: string) => StatusReading;
  log: BuildLog;
}

function deploymentSubject(
  { client }: Run,
  { deploymentId, statusPath, eventsPath, read, log }: FollowedDeployment,
): FollowedSubject {
  return {
    noun: safe`deployment`,
    statusPath,
    eventsPath,
    readStatus: async (signal) => {
      const operation = 'read the deployment';
      const body = await client.readOnce({ operation, path: statusPath, signal });
      return readAnswer(body, deploymentId);
    },
    readEvent: (name, data) => {
      const event = readStreamEvent(name, data, deploymentId, read);
      const { observed } = event;
      const isSure = observed?.certainty === 'status';
      log.onEvent(isSure && read(observed.status).meaning !== 'in-progress');
      return event;
    },
    onText: (text) => log.add(text),
    onClosed: () => log.closed(),
  };
}

/** How many unknown statuses are warnings; further ones are only logged. */
const mostWarnings = 5;

function createUnknownReporter({ report }: Host): (word: SafeText) => void {
  let count = 0;
  return (word) => {
    count += 1;
    const text = safe`The service reported the unknown status "${word}"; the step keeps waiting for a known one. If it is final, add success=${word} or failure=${word} to the input service.`;
    const diagnostic = diagnose('SD5003', text);
    if (count <= mostWarnings) report({ type: 'warning', diagnostic });
    else report({ type: 'note', text: printed(diagnostic) });
  };
}

/** The outcome of a deployment that was followed to its end. */
function outcomeOf(followed: Followed, lines: readonly SafeText[]): Deployed {
  const { outcome, confirmedBy, message } = followed;
  const end: Deployed = { outcome, confirmedBy };
  switch (outcome) {
    case 'succeeded':
      return end;
    case 'failed':
      return { ...end, error: diagnose('SD5001', describeFailure(followed, lines)) };
    case 'unconfirmed': {
      const text = message ?? safe`Nothing confirms the result of the deployment`;
      return { ...end, error: diagnose('SD5002', text) };
    }
  }
}

/** Why a deployment failed: the service's message, then the error in its build log. */
function describeFailure(
  { message, status }: Pick<Followed, 'message' | 'status'>,
  lines: readonly SafeText[],
): SafeText {
  const line = decisiveLine(lines);
  const shown = foldStatus(status) === 'failed' ? safe`` : safe` with status "${status}"`;
  const reason = message === undefined ? safe`` : safe`: ${message}`;
  const ended = sentence(safe`The deployment failed${shown}${reason}`);
  if (line !== undefined) {
    if (line.trim() === message) return ended;
    const build = safe`Build error: ${unsafeText(line.trim().replace(/^error: */i, ''))}`;
    return shown === '' && reason === '' ? build : safe`${ended} ${build}`;
  }
  return message === undefined
    ? safe`${ended} The service gave no reason and no build log; check the deployment there.`
    : ended;
}
