import { attemptWith, commentSignerFor, RunComment } from '../comments/run-comment.ts';
import { clearDomain, disconnectDomain, findDomain } from '../domains/assign-domain.ts';
import { assignedTo } from '../domains/evaluate.ts';
import type { PullState } from '../github/client.ts';
import { DiagnosedError, diagnose, printed } from '../kernel/diagnostic.ts';
import { formatDuration } from '../kernel/text/format.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import type { RunContext } from '../platform.ts';
import { endRecords } from '../releases/own-record.ts';
import { accessOf } from '../step/access.ts';
import { explainError, startGracePeriod } from '../step/run-outcome.ts';
import type { Preflight, Run } from '../step/step.ts';
import type { DeployValues } from './inputs.ts';
import type { DeployReport, Removal } from './model/report.ts';
import type { PreviewHistories } from './previews/idle.ts';
import { type EndIntent, keepLabel } from './previews/intent.ts';
import { leaseProject } from './previews/lease.ts';
import type { HostnameMatcher } from './previews/model/preview-hostname.ts';
import { foreignProject } from './previews/preview.ts';
import { renderOutcome } from './render.ts';

/** A preview whose pull request is closed. */
interface CleanUpRequest extends EndIntent {
  hostname: string;
}

type CleanUpReport = Pick<
  DeployReport,
  'outcome' | 'error' | 'skippedReason' | 'actions' | 'preview'
>;

/** Ends the preview of a closed pull request, unless that is open again. */
export async function runCleanUp(
  run: Run,
  request: CleanUpRequest,
  isOpen: () => Promise<boolean | undefined>,
): Promise<CleanUpReport> {
  const hostname = unsafeText(request.hostname);
  try {
    if ((await isOpen()) === true) {
      const error = diagnose(
        'SD6008',
        safe`The pull request is open again, so its preview is kept.`,
      );
      return {
        outcome: 'skipped',
        skippedReason: 'pull-request-open',
        preview: { hostname },
        error,
      };
    }
    return endReport(hostname, await cleanUp(run, request), whyClosed);
  } catch (error) {
    const removal = error instanceof PreviewKept ? 'left' : 'unknown';
    const preview = { hostname, removal } as const;
    return { outcome: 'failed', preview, error: explainError(error, run.host.clean) };
  }
}

/**
 * Ends a preview: clears the assignment of its domain or disconnects the domain. The project keeps what was deployed to it.
 *
 * @throws PreviewKept if the domain is assigned, and not to the preview's project
 */
export async function cleanUp(run: Run, request: CleanUpRequest): Promise<CleanedUp> {
  return (await whyNothingToEnd(run, request)) ?? (await endAssignment(run, request));
}

/** Reads the preview's domain; undefined if there is an assignment or a domain to end. @throws PreviewKept */
async function whyNothingToEnd(
  run: Run,
  { hostname, projects, disconnect }: CleanUpRequest,
): Promise<CleanedUp | undefined> {
  const { clean } = run.host;
  const domain = await findDomain(run, hostname);
  if (domain === undefined) return 'not-connected';
  const foreign = foreignProject(projects, domain);
  if (foreign !== undefined) throw new PreviewKept(clean(hostname), clean(foreign));
  return disconnect || assignedTo(domain) !== undefined ? undefined : 'unassigned';
}

async function endAssignment(run: Run, request: CleanUpRequest): Promise<CleanedUp> {
  const { host } = run;
  const { hostname } = request;
  if (request.disconnect) {
    await disconnectDomain(run, hostname);
    host.report({ type: 'note', text: safe`${host.clean(hostname)} is disconnected` });
    return 'disconnected';
  }
  await clearDomain(run, hostname);
  host.report({ type: 'note', text: safe`${host.clean(hostname)} is no longer assigned` });
  return 'cleared';
}

/** Thrown for a hostname that this run may not take from the project to which it is assigned. */
export class PreviewKept extends DiagnosedError {
  override readonly name = 'PreviewKept';

  constructor(hostname: SafeText, projectId: SafeText) {
    super(
      diagnose(
        'SD6017',
        safe`${hostname} is assigned to project ${projectId}, which no input of this run names, so the preview was not removed. Add the project to preview-projects and rerun the job, or clear the assignment on the service.`,
      ),
    );
  }
}

/** The result for a preview's domain. */
type CleanedUp = 'cleared' | 'disconnected' | 'not-connected' | 'unassigned';

const results: Readonly<Record<CleanedUp, { text: SafeText; removal: Removal }>> = {
  cleared: { text: safe`is no longer assigned to a project`, removal: 'done' },
  disconnected: { text: safe`is disconnected`, removal: 'done' },
  'not-connected': { text: safe`was not connected`, removal: 'before' },
  unassigned: { text: safe`was not assigned to a project`, removal: 'before' },
};

const whyClosed = safe`The pull request is closed`;

function endReport(hostname: SafeText, result: CleanedUp, why: SafeText, help = safe``) {
  const { text, removal } = results[result];
  const stays = removal === 'done' ? safe` The deployment stays on the project.` : safe``;
  const action = safe`${why}: ${hostname} ${text}.${stays}${help}`;
  return { outcome: 'cleaned-up', preview: { hostname, removal }, actions: [action] } as const;
}

/** Previews that the clean-up on close may have missed, and those that nobody has released for long. */
interface SweepRequest extends EndIntent {
  matcher: HostnameMatcher;
  /** The state of a pull request; undefined if that can't be read. */
  readPull: (number: number) => Promise<PullState | undefined>;
  historyOf: PreviewHistories;
  /** The input `preview-idle`; undefined: no open pull request's preview is ended. */
  longestIdle: number | undefined;
}

/**
 * Ends the previews of all pull requests that are closed, or whose last release is too old.
 *
 * @param record updates the comment and the GitHub deployments of each preview
 */
export async function runSweep(
  run: Run,
  request: SweepRequest,
  record: (swept: SweptPreview) => Promise<void>,
): Promise<CleanUpReport> {
  const { clean } = run.host;
  const whyIdle = safe`The last release is more than ${formatDuration(request.longestIdle ?? 0)} old`;
  const deployAgain = safe` To deploy the preview again, push a commit, or rerun the job that deployed it.`;
  const actions: SafeText[] = [];
  let failures = 0;
  try {
    for await (const { hostname, result, ...preview } of sweep(run, request)) {
      const name = clean(hostname);
      const isIdle = preview.reason === 'idle';
      let text: SafeText;
      if (typeof result === 'string') {
        ({ text } = results[result]);
        const cost = { phases: [], requests: 0, durationMs: 0 };
        const end = isIdle
          ? endReport(name, result, whyIdle, deployAgain)
          : endReport(name, result, whyClosed);
        await record({ ...preview, report: { ...cost, ...end } });
      } else {
        text = printed(explainError(result.error, clean));
        failures += 1;
      }
      const idle = isIdle ? safe`, idle` : safe``;
      actions.push(safe`${name} (pull request ${preview.number}${idle}) ${text}`);
    }
  } catch (error) {
    return { outcome: 'failed', error: explainError(error, clean) };
  }
  if (failures > 0) {
    const error = diagnose(
      'SD6010',
      safe`${failures} of ${actions.length} previews could not be removed; the summary has the reasons.`,
    );
    return { outcome: 'failed', actions, error };
  }
  return { outcome: actions.length === 0 ? 'synced' : 'cleaned-up', actions };
}

/** A preview of the sweep. */
interface SweptHostname {
  hostname: string;
  number: number;
  /** The project that the hostname was assigned to. */
  projectId: string;
  history: ReturnType<PreviewHistories>;
}

/** Why a preview was ended, its pull request being closed or its last release too old; and its result or its error. */
interface Swept extends SweptHostname {
  reason: 'closed' | 'idle';
  result: CleanedUp | { error: unknown };
}

/**
 * Ends the previews of all closed pull requests and the idle ones, each once it is asked for, so that a killed run misses
 * the record of at most one. Previews of pull requests with an unknown state are kept.
 */
export async function* sweep(run: Run, request: SweepRequest): AsyncGenerator<Swept> {
  const { client, host } = run;
  const { matcher, historyOf } = request;
  for (const domain of await client.listConnectedDomains()) {
    const { hostname } = domain;
    const number = matcher.numberOf(hostname);
    const projectId = assignedTo(domain);
    if (number === undefined || projectId === undefined) continue;
    const preview = { hostname, number, projectId, history: historyOf(number, projectId) };
    const reason = await whyToEnd(request, preview);
    if (reason === undefined) continue;
    const end = reason === 'closed' ? cleanUp : endIdle;
    const result = await end(run, { ...request, ...preview }).catch((error: unknown) => {
      host.signal.throwIfAborted();
      return { error };
    });
    if (result !== undefined) yield { ...preview, reason, result };
  }
}

/** Why a preview is to be ended, by what GitHub shows now; undefined if it is kept. */
async function whyToEnd(
  { readPull, longestIdle }: SweepRequest,
  { number, history }: SweptHostname,
): Promise<Swept['reason'] | undefined> {
  const pull = await readPull(number);
  if (pull === undefined || !pull.isOpen) return pull && 'closed';
  const isLabeled = pull.labels.some((label) => label.toLowerCase() === keepLabel);
  if (longestIdle === undefined || isLabeled) return undefined;
  const released = await history.lastReleased(pull.at);
  return released !== undefined && pull.at - released > longestIdle ? 'idle' : undefined;
}

/**
 * Ends an idle preview, unless GitHub shows right before the write why to keep it. No lock keeps a run from using it at that
 * moment, so GitHub is read again after the write: such a run gets its project back.
 *
 * @returns undefined if it is kept
 */
async function endIdle(
  run: Run,
  request: SweepRequest & SweptHostname,
): Promise<CleanedUp | undefined> {
  const before = await whyNothingToEnd(run, request);
  if (before !== undefined) return before;
  if ((await whyToEnd(request, request)) === undefined) return undefined;
  const result = await endAssignment(run, request);
  if ((await whyToEnd(request, request)) !== undefined) return result;
  const projects = [request.projectId];
  const own = { ...request, projects, guarded: false, guard: () => undefined };
  if ('holders' in (await leaseProject(run, own))) return result;
  const text = safe`${run.host.clean(request.hostname)} is assigned again: it is in use`;
  run.host.report({ type: 'note', text });
  return undefined;
}

/** A preview that a sweep has ended. */
interface SweptPreview extends Omit<Swept, 'hostname' | 'result'> {
  report: DeployReport;
}

/**
 * Creates what updates GitHub after a sweep has ended a preview, as the close of its pull request would have. A failure
 * is a warning, reported once for all previews.
 */
export function sweptPreviewRecorder(
  values: DeployValues,
  context: RunContext,
  { signal, warn }: Preflight,
): (swept: SweptPreview) => Promise<void> {
  const { runUrl, repository } = context;
  const access = accessOf(values, context);
  const by = { runUrl, access, attempt: attemptWith(warn, access) };
  return async ({ number, history: { subject, comment, series }, reason, report }) => {
    const shown = { ...report, subject };
    const signer = commentSignerFor(values, repository, number);
    // No later sweep would update it, so a cancellation must not interrupt this.
    const { whole } = startGracePeriod(signal);
    const own = comment && new RunComment({ ...comment, signer, ...by });
    const keeping = { mayCreate: false, keepsRun: reason === 'idle' };
    await Promise.all([
      own?.write({ render: (page) => renderOutcome(shown, page), ...keeping }, whole),
      // Of an idle one by the read after its end: a record that was created later is of a run that deploys it again.
      series && endRecords({ ...by, series }, context.identity.runId, whole),
    ]);
  };
}
