import { isAt } from '../checks/apply.ts';
import { type ConnectedDomain, hostname as hostnameShape } from '../contract/connected-domain.ts';
import {
  assignedTo,
  describeStatuses,
  servingDomain,
  unknownStatuses,
  verificationOf,
} from '../domains/evaluate.ts';
import { describePending, followVerification } from '../domains/follow-verification.ts';
import { type DomainReport, previewReport } from '../domains/model/connected-domain-report.ts';
import type { CustomStatuses } from '../follow/model/status.ts';
import { diagnose } from '../kernel/diagnostic.ts';
import { joinSafe, type SafeText, safe } from '../kernel/text/safe.ts';
import { ServiceError } from '../service/errors.ts';
import type { RunOutcome } from '../step/run-outcome.ts';
import type { Scope } from '../step/scope.ts';
import type { FollowedDomain, ReleaseContext } from './context.ts';
import type { AssignedPreview, PreviewRequest } from './previews/preview.ts';

const isGood = ({ outcome }: RunOutcome): boolean =>
  outcome === 'succeeded' || outcome === 'synced';

/** Follows the preview's domain beside the deployment; undefined if there is none, or nothing is waited for. */
export function followDomain(
  run: ReleaseContext,
  assigned: AssignedPreview | undefined,
  scope: Scope,
): PreviewDomain | undefined {
  const { preview } = run.place;
  if (assigned === undefined || preview === undefined) return undefined;
  const domain = new PreviewDomain(run, preview, assigned);
  if (run.request.wait === 'none') return undefined;
  run.report.domain = domain;
  domain.follow(scope);
  return domain;
}

/** The preview's domain during the deployment, as last read. */
class PreviewDomain implements FollowedDomain {
  readonly customStatuses: CustomStatuses;
  readonly #run: ReleaseContext;
  readonly #preview: PreviewRequest;
  #latest: ConnectedDomain;
  /** False while it comes from the response to a write, which doesn't prove that it is verified. */
  #isRead: boolean;
  /** Why it could not be followed to its end. */
  #trouble: SafeText | undefined;
  #hasPassed = false;
  #following: Promise<void> | undefined;
  /** True while its verification is followed. */
  isFollowed = true;
  isAwaited = false;

  constructor(run: ReleaseContext, preview: PreviewRequest, { domain, isRead }: AssignedPreview) {
    this.customStatuses = run.request.customStatuses;
    this.#run = run;
    this.#preview = preview;
    this.#latest = domain;
    this.#isRead = isRead;
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

  /** Follows its verification in a scope. */
  follow(scope: Scope): void {
    const { customStatuses } = this;
    const { projectId } = this.#run;
    const { timeout } = this.#preview;
    const onRead = (domain: ConnectedDomain) => {
      this.#latest = domain;
      this.#isRead = true;
      this.#publish();
    };
    this.#following = scope.start((signal) =>
      this.#run.phase('domain', async () => {
        const [domain, isRead] = [this.#latest, this.#isRead];
        const options = { domain, isRead, projectId, timeout, customStatuses };
        this.#trouble = await followVerification(this.#run, { ...options, onRead, signal });
        this.isFollowed = false;
        this.#publish();
      }),
    );
  }

  /** The outcome of a run with the domain: a good one waits for that. One that is not verified in time is a warning, or fails. */
  async awaitVerified(released: RunOutcome): Promise<RunOutcome> {
    const { host, report } = this.#run;
    if (!isGood(released)) return released;
    report.waiting = { for: 'nothing' };
    this.isAwaited = true;
    // A check passed there: it counts as verified.
    if (!this.#hasPassed) await this.#following;
    const lacks = this.pending(this.#preview.timeout);
    if (lacks === undefined) return released;
    const diagnostic = diagnose('SD6001', lacks);
    if (this.#preview.strict) return { outcome: 'failed', error: diagnostic };
    host.report({ type: 'warning', diagnostic });
    return released;
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
    const isUnproven = shown === 'good' && !this.#isRead;
    const judged = this.#hasPassed ? 'good' : isUnproven ? 'pending' : shown;
    const unread = isUnproven
      ? safe`It may be verified: it has not been read since its assignment.`
      : undefined;
    const trouble = isOwn
      ? (this.#trouble ?? unread)
      : safe`It is no longer assigned to this project.`;
    return previewReport(this.#preview.hostname, this.#latest, host.clean, {
      customStatuses: this.customStatuses,
      verification: isOwn ? judged : 'pending',
      trouble,
    });
  }

  #publish(): void {
    const domain = this.#report;
    this.#run.report.preview = { hostname: domain.hostname, domain };
  }

  /** How it could count as verified despite its status. */
  #help(): SafeText[] {
    const { clean } = this.#run.host;
    const unknown = unknownStatuses(this.#latest, this.customStatuses);
    const isBlank = describeStatuses(this.#latest) === '';
    if (unknown.length === 0 && !isBlank) return [];
    const statuses = joinSafe(
      unknown.map((status) => clean(status)),
      ', ',
    );
    const add = safe`If it is final, add success=${statuses} or failure=${statuses} to the input service`;
    if (this.isChecked) return unknown.length === 0 ? [] : [safe`${add}.`];
    const check = safe`verify-url: https://{preview-domain}/`;
    return unknown.length === 0
      ? [safe`Set ${check} (a passing check counts as verified).`]
      : [safe`${add}, or confirm it by ${check}.`];
  }
}

/** How long the search for the address may take, in milliseconds: the run has succeeded by then. */
const longest = 10_000;

/**
 * Finds the address of the domain that serves the project, for a run without a preview. A failure is only a note.
 */
export async function findAddress(run: ReleaseContext): Promise<SafeText | undefined> {
  const { client, host, request, place, projectId } = run;
  const { checks, customStatuses } = request;
  if (place.preview !== undefined) return undefined;
  const limit = AbortSignal.any([host.signal, AbortSignal.timeout(longest)]);
  try {
    const domains = await client.listConnectedDomains(limit);
    const { origin } = checks?.site ?? {};
    const checked = origin === undefined ? undefined : URL.parse(origin)?.hostname;
    const hostname = servingDomain(domains, { projectId, checked, customStatuses });
    if (hostname === undefined || !hostnameShape.safeParse(hostname).success) return undefined;
    const shown = host.clean(hostname);
    // With a masked part it is no address.
    return shown === hostname ? safe`https://${shown}` : undefined;
  } catch (error) {
    if (limit.aborted) return undefined;
    if (!(error instanceof ServiceError)) throw error;
    const text = safe`The output url stays empty: the connected domains can't be listed. ${error.message}`;
    host.report({ type: 'note', text });
    return undefined;
  }
}
