import { resultOf } from '../checks/apply.ts';
import type { CheckResult } from '../checks/result.ts';
import type { Environment } from '../contract/environment.ts';
import { type Followed, follow } from '../follow/follow.ts';
import { readAnswer, readStreamEvent } from '../follow/model/evaluate.ts';
import {
  cleanWord,
  createStatusReader,
  foldStatus,
  type StatusReading,
} from '../follow/model/status.ts';
import type { Subject } from '../follow/sources.ts';
import type { Ending } from '../frame/ending.ts';
import type { Host, Run } from '../frame/step.ts';
import { diagnose, printed } from '../kernel/diagnostic.ts';
import { fillTemplate, sentence } from '../kernel/text/format.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import type { ReleaseContext } from '../release/context.ts';
import type { Release } from '../release/model/report.ts';
import { BuildLog, decisiveLine } from './build-log.ts';
import { describeUnknown, describeWait, gatherEvidence, productionState } from './evidence.ts';
import { guardOrder } from './never-backwards.ts';
import { postOnceSeen, type ReleaseUpdate } from './request-deployment.ts';
import { endOfChecks, verify } from './verify.ts';

/** What a deployment needs. */
export interface ReleaseOptions {
  /** As it was before; absent if no change waits in it. */
  environment?: Environment;
  /** True if the checks can confirm a success. */
  checksProve: boolean;
  /** True if this run has pushed the commit. */
  pushed: boolean;
}

interface Released {
  ending: Ending;
  /** The results of its checks, if one of them failed. */
  failedChecks?: readonly CheckResult[];
}

/** How a deployment ended, and what confirmed it. */
type Deployed = Ending & Pick<Release, 'confirmedBy'>;

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
    const words = unsafeText(line.trim());
    return words === message ? ended : safe`${ended} Build error: ${words}`;
  }
  return message === undefined
    ? safe`${ended} The service gave no reason and no build log; check the deployment there.`
    : ended;
}

function endingOf(followed: Followed, lines: readonly SafeText[]): Deployed {
  const { outcome, confirmedBy, message } = followed;
  const end: Deployed = { outcome, ...(confirmedBy && { confirmedBy }) };
  if (outcome === 'succeeded') return end;
  if (outcome === 'unconfirmed') {
    return {
      ...end,
      error: diagnose('SD5002', message ?? safe`Nothing confirms the result of the deployment`),
    };
  }
  return { ...end, error: diagnose('SD5001', describeFailure(followed, lines)) };
}

/** How many unknown statuses are warnings; further ones are only logged. */
const mostWarnings = 5;

function createUnknownReporter({ report }: Host): (word: SafeText) => void {
  let count = 0;
  return (word) => {
    count += 1;
    const diagnostic = diagnose('SD5003', describeUnknown(word));
    if (count <= mostWarnings) report({ type: 'warning', diagnostic });
    else report({ type: 'note', text: printed(diagnostic) });
  };
}

async function deployCommit(
  run: ReleaseContext,
  { environment, checksProve, pushed }: ReleaseOptions,
  update: ReleaseUpdate,
): Promise<Deployed> {
  const { host, request, projectId, waitsFor } = run;
  const { wait } = request;
  const { deployment, uncertainty } = await postOnceSeen(run, pushed, update);
  const { deploymentId } = deployment;
  const status = deployment.status ?? 'accepted';
  const acceptedAt = host.clock.now();
  const id = host.clean(deploymentId);
  let lastStep: SafeText | undefined;
  const read = createStatusReader(request.customWords);
  let lastSeen = cleanWord(host.clean, read(status))(status);
  const see = (seen: SafeText) => {
    if (seen !== lastSeen) lastStep = lastSeen;
    lastSeen = seen;
    update({ deployment: { id, status: seen }, ...(lastStep !== undefined && { lastStep }) });
  };
  update({ stage: 'under-way', ...(uncertainty !== undefined && { uncertainty }) });
  see(lastSeen);
  host.report({ type: 'deployment-accepted', deploymentId: id });
  if (wait === 'none') return { outcome: 'accepted' };
  const ids = {
    projectId: encodeURIComponent(projectId),
    deploymentId: encodeURIComponent(deploymentId),
  };
  const report: Host['report'] = (progress) => {
    if (progress.type === 'status') see(progress.status);
    host.report(progress);
  };
  const watched = { ...run, host: { ...host, report } };
  const paths = {
    statusPath: fillTemplate(request.statusPath, ids),
    eventsPath: fillTemplate(request.eventsPath, ids),
  };
  const wasPending = environment !== undefined && productionState(environment) === 'pending';
  const log = new BuildLog(host);
  const reportUnknown = createUnknownReporter(host);
  const followed = await follow(watched, {
    subject: deploymentSubject(watched, { ...paths, deploymentId, read, log }),
    wait,
    status,
    acceptedAt,
    read,
    tellUnknown: (word) => {
      update({ unknownStatus: word });
      reportUnknown(word);
    },
    watch: (tracker, signal) => {
      const evidence = { ...watched, tracker, wasPending, checksProve, signal };
      const restsOnChecks = () => checksProve && !wasPending && tracker.sources.hasNoSource;
      waitsFor(() => describeWait(evidence), restsOnChecks);
      return gatherEvidence(evidence);
    },
    rest: async ({ outcome }, _tracker, signal) => {
      if (outcome !== 'failed') return;
      // Set now, because the run may be interrupted while it waits for the log.
      update({ stage: outcome });
      if (wait !== 'poll') await log.rest(signal);
    },
  });
  see(followed.status);
  waitsFor(() => safe``);
  if (followed.outcome === 'failed' && log.lines.length > 0) update({ log: log.lines });
  return endingOf(followed, log.lines);
}

/** Deploys the commit, follows it to its end, and then runs its checks. */
export async function release(run: ReleaseContext, options: ReleaseOptions): Promise<Released> {
  const { checks, found, host } = run;
  await guardOrder(run);
  await run.lastLook?.(run);
  let known: Release | undefined;
  const update: ReleaseUpdate = (part) => {
    known = part && { stage: 'requested', ...known, ...part };
    found({ release: known });
  };
  const deployed = await run.phase('deployment', () => deployCommit(run, options, update));
  const { confirmedBy, ...ending } = deployed;
  const { outcome } = ending;
  if (confirmedBy !== undefined) update({ confirmedBy });
  if (outcome === 'succeeded' || outcome === 'failed') update({ stage: outcome });
  if (outcome !== 'succeeded') return { ending };
  host.report({ type: 'deployment-succeeded' });
  if (checks === undefined) return { ending };
  if (confirmedBy !== 'site') {
    const { results, failure } = await verify(run);
    return failure === undefined ? { ending } : { ending: failure, failedChecks: results };
  }
  const results = checks.all.map((one) => resultOf(one, one.check === undefined ? null : true));
  found({ checks: results });
  return { ending: endOfChecks(run, checks, results) ?? ending };
}

/** A deployment to follow, and its paths. */
interface FollowedDeployment extends Pick<Subject, 'statusPath' | 'eventsPath'> {
  deploymentId: string;
  read: (word: string) => StatusReading;
  log: BuildLog;
}

export function deploymentSubject(
  { client }: Run,
  { deploymentId, statusPath, eventsPath, read, log }: FollowedDeployment,
): Subject {
  return {
    noun: safe`deployment`,
    statusPath,
    eventsPath,
    look: async (signal) => {
      const operation = 'read the deployment';
      const body = await client.look({ operation, path: statusPath, signal });
      return readAnswer(body, deploymentId);
    },
    readEvent: (name, data) => {
      const event = readStreamEvent(name, data, deploymentId, read);
      const { observed } = event;
      const isSure = observed?.certainty === 'status';
      log.eventSeen(isSure && read(observed.status).meaning !== 'in-progress');
      return event;
    },
    onText: (text) => log.take(text),
    onClosed: () => log.closed(),
  };
}
