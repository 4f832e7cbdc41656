import { resultOf } from '../checks/apply.ts';
import type { CheckResult } from '../checks/result.ts';
import type { Environment } from '../contract/environment.ts';
import { type Followed, type FollowedSubject, follow } from '../follow/follow.ts';
import { readAnswer, readStreamEvent } from '../follow/model/evaluate.ts';
import { createStatusReader, foldStatus, type StatusReading } from '../follow/model/status.ts';
import { diagnose, printed } from '../kernel/diagnostic.ts';
import { fillTemplate, sentence } from '../kernel/text/format.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import { cleanIndented } from '../step/clean.ts';
import type { RunOutcome } from '../step/run-outcome.ts';
import type { Host, Run } from '../step/step.ts';
import type { ReleaseContext } from './context.ts';
import type { Release } from './model/report.ts';
import { postWhenVisible, type ReleaseUpdate } from './request-deployment.ts';
import { describeUnknown, endOfChecks, gatherEvidence, productionState, verify } from './verify.ts';

/** The most characters of a line's indentation that are kept. */
const widest = 40;

/** How long to wait for the last lines of a failed deployment, in milliseconds. */
const longestRest = 2000;

/** How long the stream must be silent to count as complete, in milliseconds. */
const silence = 500;

/** How often that is checked, in milliseconds. */
const interval = 100;

/** Shows the build's log as it comes, and keeps its last lines. */
class BuildLog {
  readonly #host: Host;
  readonly #lines: SafeText[] = [];
  #eventAt: number | undefined;
  #isClosed = false;
  #hasEnded = false;

  constructor(host: Host) {
    this.#host = host;
  }

  /** The last lines, with their indentation. */
  get lines(): readonly SafeText[] {
    return this.#lines;
  }

  /** Takes a text of one or more lines. @throws the run's signal's reason */
  async take(text: string): Promise<void> {
    const { report, drained, signal } = this.#host;
    const clean = this.#host.clean;
    for (const line of text.split(/\r\n|\r|\n/)) {
      const shown = cleanIndented(line, (words) => clean(words), widest);
      if (shown !== '') {
        report({ type: 'build-log', text: shown });
        this.#lines.push(shown);
        if (this.#lines.length > mostLines) this.#lines.shift();
      }
      await drained();
      signal.throwIfAborted();
    }
  }

  /** The stream sent an event. @param isEnd true if it is the end of the deployment */
  onEvent(isEnd: boolean): void {
    this.#eventAt = this.#host.clock.now();
    this.#isClosed = false;
    this.#hasEnded ||= isEnd;
  }

  /** The stream was closed, or could not be opened. */
  closed(): void {
    this.#isClosed = true;
  }

  /** Waits for the last lines of a failed deployment. @throws the signal's reason */
  async rest(signal: AbortSignal): Promise<void> {
    const { clock } = this.#host;
    const started = clock.now();
    while (clock.now() - started < longestRest && !this.#isWhole(started)) {
      await clock.sleep(interval, signal);
    }
  }

  /** A stream that was closed early is reopened; one that never sent an event does not exist. */
  #isWhole(since: number): boolean {
    if (this.#isClosed) return this.#hasEnded || this.#eventAt === undefined;
    return this.#host.clock.now() - Math.max(since, this.#eventAt ?? since) >= silence;
  }
}

/** The most lines of a build's log that a report keeps. */
const mostLines = 20;

/** Lines that count no errors, or only warn. */
const harmless = /\b(0|no) (errors?|failures?|problems?)\b|\bwarn(ing)?\b/i;

/** Lines that name an error; not as part of a file name. */
const error = /(error|exception)([\s:[\]()!,]|$)|\bfatal\b|\bpanic(ked)?\b|^\s*[✗✘✖×]/i;

/** Lines about a failure, which may only be the consequence of an error. */
const failure =
  /\b(failed|failure|fails|cannot|can't|could not|unable to|not found|no such|denied|killed|out of memory|npm err!|exit(ed)?( with)?( code| status)?:? [1-9])/i;

/** What a package manager prints after every failed script. */
const wrapper =
  /^\s*(npm (err(or)?\b|warn)|error: command .* (failed|exited)|error command failed)/i;

/**
 * The line of a build's log that best explains its failure: the first that names an error, else the first about a
 * failure, else the last that is not empty.
 *
 * @returns undefined if all lines are empty
 */
export function decisiveLine(lines: readonly SafeText[]): SafeText | undefined {
  const filled = lines.filter((line) => line.trim() !== '');
  const own = filled.filter((line) => !harmless.test(line) && !wrapper.test(line));
  return (
    own.find((line) => error.test(line)) ??
    own.find((line) => failure.test(line)) ??
    filled.find((line) => wrapper.test(line)) ??
    filled.at(-1)
  );
}

/** What a deployment needs. */
interface ReleaseOptions {
  /** As last read, after the run's writes; absent: production's state confirms nothing, as in a rollback. */
  environment?: Environment;
  /** True if the checks can confirm a success. */
  checksProve: boolean;
  /** True if this run has pushed the commit. */
  pushed: boolean;
}

interface Released {
  ending: RunOutcome;
  /** The results of its checks, if one of them failed. */
  failedChecks?: readonly CheckResult[];
}

/** How a deployment ended, and what confirmed it. */
type Deployed = RunOutcome & Pick<Release, 'confirmedBy'>;

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

function endingOf(followed: Followed, lines: readonly SafeText[]): Deployed {
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
  const see = (status: SafeText) => {
    if (status !== lastStatus) lastStep = lastStatus;
    lastStatus = status;
    update({ deployment: { id, status }, ...(lastStep !== undefined && { lastStep }) });
  };
  see(lastStatus);
  update({ stage: 'under-way', ...(uncertainty !== undefined && { uncertainty }) });
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
  see(followed.status);
  open.waiting = { for: 'nothing' };
  if (followed.outcome === 'failed' && log.lines.length > 0) update({ log: log.lines });
  return endingOf(followed, log.lines);
}

/** Deploys the commit, follows it to its end, and then runs its checks. */
export async function release(run: ReleaseContext, options: ReleaseOptions): Promise<Released> {
  const { checks, section } = run;
  const update: ReleaseUpdate = (part) => {
    section.release = part && { stage: 'requested', ...section.release, ...part };
    if (part === undefined || part.stage !== undefined) run.recorder?.save(run.report);
  };
  const deployed = await run.phase('deployment', () => deployCommit(run, options, update));
  const { confirmedBy, ...ending } = deployed;
  const { outcome } = ending;
  if (confirmedBy !== undefined) update({ confirmedBy });
  if (outcome === 'succeeded' || outcome === 'failed') update({ stage: outcome });
  if (outcome !== 'succeeded') return { ending };
  if (checks === undefined) return { ending };
  if (confirmedBy !== 'site') {
    const { results, failure } = await verify(run);
    return failure === undefined ? { ending } : { ending: failure, failedChecks: results };
  }
  const results = checks.all.map((one) => resultOf(one, one.check === undefined ? null : true));
  section.checks = results;
  return { ending: endOfChecks(run, checks, results) ?? ending };
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
    onText: (text) => log.take(text),
    onClosed: () => log.closed(),
  };
}
