import { attemptWith, commentSignerFor, RunComment } from '../comments/run-comment.ts';
import { clearDomain, disconnectDomain, findDomain } from '../domains/assign-domain.ts';
import { assignedTo } from '../domains/evaluate.ts';
import { DiagnosedError, diagnose, printed } from '../kernel/diagnostic.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import type { RunContext } from '../platform.ts';
import { endRecords } from '../releases/own-record.ts';
import { recordSignerFor, Series } from '../releases/series.ts';
import { accessOf } from '../step/access.ts';
import { explainError, startGracePeriod } from '../step/run-outcome.ts';
import type { Preflight, Run } from '../step/step.ts';
import type { DeployValues } from './inputs.ts';
import type { DeployTarget } from './job.ts';
import type { DeployReport, Removal } from './model/report.ts';
import type { EndIntent } from './previews/intent.ts';
import type { HostnameMatcher } from './previews/model/preview-hostname.ts';
import { foreignProject } from './previews/preview.ts';
import { planLocations, subjectIn } from './recording-plan.ts';
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
    return endReport(hostname, await cleanUp(run, request));
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
export async function cleanUp(
  run: Run,
  { hostname, projects, disconnect }: CleanUpRequest,
): Promise<CleanedUp> {
  const { host } = run;
  const domain = await findDomain(run, hostname);
  if (domain === undefined) return 'not-connected';
  const foreign = foreignProject(projects, domain);
  if (foreign !== undefined) throw new PreviewKept(host.clean(hostname), host.clean(foreign));
  if (disconnect) {
    await disconnectDomain(run, hostname);
    host.report({ type: 'note', text: safe`${host.clean(hostname)} is disconnected` });
    return 'disconnected';
  }
  if (assignedTo(domain) === undefined) return 'unassigned';
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

const results: Readonly<Record<CleanedUp, SafeText>> = {
  cleared: safe`is no longer assigned to a project`,
  disconnected: safe`is disconnected`,
  'not-connected': safe`was not connected`,
  unassigned: safe`was not assigned to a project`,
};

const removals: Readonly<Record<CleanedUp, Removal>> = {
  cleared: 'done',
  disconnected: 'done',
  'not-connected': 'before',
  unassigned: 'before',
};

function endReport(hostname: SafeText, result: CleanedUp) {
  const removal = removals[result];
  const stays = removal === 'done' ? safe` The deployment stays on the project.` : safe``;
  const action = safe`The pull request is closed: ${hostname} ${results[result]}.${stays}`;
  return { outcome: 'cleaned-up', preview: { hostname, removal }, actions: [action] } as const;
}

/** Previews that the clean-up on close may have missed. */
interface SweepRequest extends EndIntent {
  matcher: HostnameMatcher;
  /** Whether a pull request is open; undefined if that can't be read. */
  isOpen: (number: number) => Promise<boolean | undefined>;
}

/**
 * Ends the previews of all pull requests that are closed.
 *
 * @param record updates the comment and the GitHub deployments of each preview
 */
export async function runSweep(
  run: Run,
  request: SweepRequest,
  record: (swept: SweptPreview) => Promise<void>,
): Promise<CleanUpReport> {
  const { clean } = run.host;
  const actions: SafeText[] = [];
  let failures = 0;
  try {
    for await (const { hostname, number, projectId, result } of sweep(run, request)) {
      const name = clean(hostname);
      let text: SafeText;
      if (typeof result === 'string') {
        text = results[result];
        const cost = { phases: [], requests: 0, durationMs: 0 };
        await record({ number, projectId, report: { ...cost, ...endReport(name, result) } });
      } else {
        text = printed(explainError(result.error, clean));
        failures += 1;
      }
      actions.push(safe`${name} (pull request ${number}) ${text}`);
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

/** A hostname of the sweep, the project to which it was assigned, and its result or its error. */
interface Swept {
  hostname: string;
  number: number;
  projectId: string;
  result: CleanedUp | { error: unknown };
}

/**
 * Ends the previews of all closed pull requests, each once it is asked for, so that a killed run misses the record of at
 * most one. Previews of pull requests with an unknown state are kept.
 */
export async function* sweep(run: Run, request: SweepRequest): AsyncGenerator<Swept> {
  const { client, host } = run;
  const { matcher, isOpen } = request;
  for (const domain of await client.listConnectedDomains()) {
    const number = matcher.numberOf(domain.hostname);
    const projectId = assignedTo(domain);
    if (number === undefined || projectId === undefined) continue;
    if ((await isOpen(number)) !== false) continue;
    const { hostname } = domain;
    const result = await cleanUp(run, { ...request, hostname }).catch((error: unknown) => {
      host.signal.throwIfAborted();
      return { error };
    });
    yield { hostname, number, projectId, result };
  }
}

/** A preview that a sweep has ended. */
interface SweptPreview {
  /** The number of the pull request. */
  number: number;
  /** The project that its hostname was assigned to. */
  projectId: string;
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
  const attempt = attemptWith(warn, access);
  const recordSigner = recordSignerFor(values, repository);
  return async ({ number, projectId, report }) => {
    const target = targetOf(values, projectId);
    const course = { values, event: context.event, pull: { number }, target };
    const { comment, deployment } = planLocations(course, context);
    const shown = { ...report, subject: subjectIn(course, context) };
    const signer = commentSignerFor(values, repository, number);
    // No later sweep would update it, so a cancellation must not interrupt this.
    const { whole } = startGracePeriod(signal);
    const own = comment && new RunComment({ ...comment, signer, runUrl, access, attempt });
    await Promise.all([
      own?.write({ render: (by) => renderOutcome(shown, by), mayCreate: false }, whole),
      deployment &&
        endRecords(
          {
            series: new Series({ access, signer: recordSigner }, deployment),
            runUrl,
            access,
            attempt,
          },
          context.identity.runId,
          whole,
        ),
    ]);
  };
}

function targetOf(values: DeployValues, projectId: string): DeployTarget {
  const { 'preview-projects': from = [], 'preview-domain': template } = values;
  return template !== undefined && from.some((id) => id === projectId)
    ? { kind: 'lease', from, template }
    : { kind: 'project', id: projectId };
}
