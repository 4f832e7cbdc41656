import { isAt } from '../checks/apply.ts';
import { type ConnectedDomain, hostname as hostnameShape } from '../contract/connected-domain.ts';
import {
  assignedTo,
  describeStatuses,
  servingDomain,
  unknownStatuses,
  verificationOf,
} from '../domains/evaluate.ts';
import {
  describePending,
  type Following,
  followVerification,
} from '../domains/follow-verification.ts';
import { type DomainReport, previewReport } from '../domains/model/connected-domain-report.ts';
import type { CustomStatuses } from '../follow/model/status.ts';
import type { Ending } from '../frame/ending.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { joinSafe, type SafeText, safe } from '../kernel/text/safe.ts';
import {
  endIfClosed,
  findPreviewProject,
  type LeasedProject,
  leasePreviewProject,
  noPreviewProject,
  type PreviewRequest,
} from '../previews/preview.ts';
import type { ReleaseContext, SetupContext } from '../release/context.ts';
import { ServiceError } from '../service/errors.ts';

/** The project to deploy to: the given one, or a leased one (`isNew` if leased by this run). */
export async function findProject(run: SetupContext): Promise<LeasedProject> {
  const { target, guarded } = run.request;
  if (target.kind === 'project') return { projectId: target.id, isNew: false };
  const { preview, from } = target;
  if (run.request.deploy) return await leasePreviewProject(run, preview, from, guarded);
  await endIfClosed(preview);
  const found = await findPreviewProject(run, preview, from);
  if (found === undefined) throw noPreviewProject;
  return { projectId: found, isNew: false };
}

const isGood = ({ outcome }: Ending): boolean => outcome === 'succeeded' || outcome === 'synced';

/** Follows the preview domain during the deployment; after a failure no longer. */
export async function alongsideDomain(
  run: ReleaseContext,
  assigned: Pick<Following, 'domain' | 'isRead'> | undefined,
  work: (run: ReleaseContext) => Promise<Ending>,
): Promise<Ending> {
  const { host, request, projectId } = run;
  const { preview } = request.target;
  if (assigned === undefined || preview === undefined) return await work(run);
  const { timeout } = preview;
  const domain = new PreviewDomain(run, preview, assigned.domain);
  if (request.wait === 'none') return await work(run);
  const pending = () => domain.pending() ?? safe``;
  const waitsFor: ReleaseContext['waitsFor'] = (describe, restsOnChecks) =>
    run.waitsFor(() => {
      const parts = domain.isChecked ? [describe(), pending()] : [describe()];
      return joinSafe(parts.filter(Boolean), ' ');
    }, restsOnChecks);
  const ended = new AbortController();
  const signal = AbortSignal.any([host.signal, ended.signal]);
  const following = async () => {
    const { customStatuses } = domain;
    const onRead = (update: ConnectedDomain) => domain.update(update);
    const following = { ...assigned, projectId, timeout, customStatuses, onRead, signal };
    const last = await run.phase('domain', () => followVerification(run, following));
    domain.update(last.domain, last.trouble);
    domain.isFollowed = false;
  };
  const working = async () => {
    let ending: Ending = { outcome: 'failed' };
    try {
      ending = await work({ ...run, waitsFor, domain });
      if (domain.hasPassed) ended.abort();
      run.waitsFor(pending);
      return ending;
    } finally {
      if (!isGood(ending)) ended.abort();
    }
  };
  const [ending] = await Promise.all([working(), following()]);
  return isGood(ending) ? judgeDomain(run, ending, domain.pending(timeout)) : ending;
}

/** The result of a good run whose domain is not verified. */
function judgeDomain(
  { host, request }: ReleaseContext,
  ending: Ending,
  lacks: SafeText | undefined,
): Ending {
  if (lacks === undefined) return ending;
  const diagnostic = diagnose('SD6001', lacks);
  if (request.target.preview?.strict === true) return { outcome: 'failed', error: diagnostic };
  host.report({ type: 'warning', diagnostic });
  return ending;
}

/**
 * Works while the pull request's state is read, and ends the work if it is closed.
 *
 * @param stillOpen rejects if it is closed; undefined if there is none
 * @throws what ends the run, first of all that the pull request is closed
 */
export async function unlessClosed<Done>(
  run: ReleaseContext,
  stillOpen: Promise<void> | undefined,
  work: (run: ReleaseContext) => Promise<Done>,
): Promise<Done> {
  const closing = new AbortController();
  const signal = AbortSignal.any([run.host.signal, closing.signal]);
  const working = work({ ...run, host: { ...run.host, signal } });
  // It may fail before the pull request's state is known.
  working.catch(() => undefined);
  try {
    await stillOpen;
  } catch (error) {
    closing.abort(error);
    await Promise.allSettled([working]);
    throw error;
  }
  return await working;
}

/** The preview's domain during the deployment, as last read. */
class PreviewDomain {
  readonly customStatuses: CustomStatuses;
  readonly #run: ReleaseContext;
  readonly #preview: PreviewRequest;
  #latest: ConnectedDomain;
  #trouble: SafeText | undefined;
  #hasPassed = false;
  /** True while its verification is followed. */
  isFollowed = true;

  constructor(run: ReleaseContext, preview: PreviewRequest, assigned: ConnectedDomain) {
    this.customStatuses = run.request.customStatuses;
    this.#run = run;
    this.#preview = preview;
    this.#latest = assigned;
    this.#publish();
  }

  /** True if a check is run at its address. */
  get isChecked(): boolean {
    return this.#run.checks?.active.some((one) => isAt(one, this.hostname)) === true;
  }

  get hostname(): string {
    return this.#preview.hostname;
  }

  get isVerified(): boolean {
    return this.#report.verification === 'good';
  }

  /** True if a check passed at its address. */
  get hasPassed(): boolean {
    return this.#hasPassed;
  }

  /** Takes its latest state, and why it could not be followed to its end. */
  update(domain: ConnectedDomain, trouble?: SafeText): void {
    this.#latest = domain;
    this.#trouble = trouble;
    this.#publish();
  }

  /** A check passed at its address: it counts as verified, whatever the service reports. */
  passed(): void {
    this.#hasPassed = true;
    this.#publish();
  }

  /**
   * Why it is not verified, and what to do; undefined if it is.
   *
   * @param timeout how long it was followed, in milliseconds; absent while it is
   */
  pending(timeout?: number): SafeText | undefined {
    const text = describePending(this.#report, timeout);
    return text && joinSafe([text, ...this.#help()], ' ');
  }

  get #report(): DomainReport {
    const { projectId, host } = this.#run;
    const isOwn = assignedTo(this.#latest) === projectId;
    const shown = verificationOf(this.#latest, this.customStatuses);
    const judged = this.#hasPassed ? 'good' : shown;
    const trouble = isOwn ? this.#trouble : safe`It is no longer assigned to this project.`;
    return previewReport(this.#preview.hostname, this.#latest, host.clean, {
      customStatuses: this.customStatuses,
      verification: isOwn ? judged : 'pending',
      trouble,
    });
  }

  #publish(): void {
    const domain = this.#report;
    this.#run.found({ preview: { hostname: domain.hostname, domain } });
  }

  /** How it could count as verified despite its status. */
  #help(): SafeText[] {
    const { clean } = this.#run.host;
    const unknown = unknownStatuses(this.#latest, this.customStatuses);
    const isBlank = describeStatuses(this.#latest) === '';
    if (unknown.length === 0 && !isBlank) return [];
    const words = joinSafe(
      unknown.map((word) => safe`"${clean(word)}"`),
      ', ',
    );
    const add = safe`Add ${words} to service as success= or failure=`;
    if (this.isChecked) return unknown.length === 0 ? [] : [safe`${add}.`];
    const set = unknown.length === 0 ? safe`Set` : safe`${add}, or set`;
    return [
      safe`${set} verify-url: https://{preview-domain}/ (a passing check counts as verified).`,
    ];
  }
}

/** How long the search for the address may take, in milliseconds: the run has succeeded by then. */
const longest = 10_000;

/**
 * Finds the domain that serves the project, for a run without a preview and without domains of its own. A failure is
 * only a note.
 */
export async function findAddress({
  client,
  host,
  request,
  projectId,
  found,
}: ReleaseContext): Promise<void> {
  const { target, checks, customStatuses } = request;
  if (target.preview !== undefined) return;
  const limit = AbortSignal.any([host.signal, AbortSignal.timeout(longest)]);
  try {
    const domains = await client.listConnectedDomains(limit);
    const { origin } = checks?.site ?? {};
    const checked = origin === undefined ? undefined : URL.parse(origin)?.hostname;
    const hostname = servingDomain(domains, { projectId, checked, customStatuses });
    if (hostname === undefined || !hostnameShape.safeParse(hostname).success) return;
    const shown = host.clean(hostname);
    // With a masked part it is no address.
    if (shown === hostname) found({ address: safe`https://${shown}` });
  } catch (error) {
    if (limit.aborted) return;
    if (!(error instanceof ServiceError)) throw error;
    const text = safe`The output url stays empty: the connected domains can't be listed. ${error.message}`;
    host.report({ type: 'note', text });
  }
}
