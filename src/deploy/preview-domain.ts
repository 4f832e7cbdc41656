import { isAt } from '../checks/apply.ts';
import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { hostname as hostnameShape } from '../contract/hostname.ts';
import {
  assignedTo,
  describeStatuses,
  servingDomain,
  unknownWords,
  verificationOf,
} from '../domains/evaluate.ts';
import {
  describePending,
  type Following,
  followVerification,
} from '../domains/follow-verification.ts';
import {
  type DomainReport,
  previewReport,
  teachWord,
} from '../domains/model/connected-domain-report.ts';
import { type WordWarner, warnOfWords } from '../domains/unknown-words.ts';
import type { CustomWords } from '../follow/model/status.ts';
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
import type { Swap } from '../release/model/report.ts';
import { ServiceError } from '../service/errors.ts';

/** The project to deploy to: the one that is given, a leased one (`isNew` if this run has leased it), or an idle one. */
export async function findProject(run: SetupContext): Promise<LeasedProject & { swap?: Swap }> {
  const { target, guarded } = run.request;
  if (target.kind === 'project') return { projectId: target.id, isNew: false };
  if (target.kind === 'swap') {
    const { findIdle } = await import('../blue-green/swap.ts');
    return await findIdle(run, target);
  }
  const { preview, from } = target;
  if (run.request.deploy) return await leasePreviewProject(run, preview, from, guarded);
  await endIfClosed(preview);
  const found = await findPreviewProject(run, preview, from);
  if (found === undefined) throw noPreviewProject;
  return { projectId: found, isNew: false };
}

const isGood = ({ outcome }: Ending): boolean => outcome === 'succeeded' || outcome === 'synced';

/** Follows the preview domain beside the deployment; once that has ended badly, no longer. */
export async function alongsideDomain(
  run: ReleaseContext,
  placed: Pick<Following, 'domain' | 'isSeen'> | undefined,
  work: (run: ReleaseContext) => Promise<Ending>,
): Promise<Ending> {
  const { host, request, projectId } = run;
  const { preview } = request.target;
  if (placed === undefined || preview === undefined) return await work(run);
  const { timeout } = preview;
  const domain = new PreviewDomain(run, preview, placed.domain);
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
    const { customWords } = domain;
    const onSeen = (seen: ConnectedDomain) => domain.seen(seen);
    const placing = { ...placed, projectId, timeout, customWords, onSeen, signal };
    const last = await run.phase('domain', () => followVerification(run, placing));
    domain.seen(last.domain, last.trouble);
    domain.isFollowed = false;
  };
  const working = async () => {
    let ending: Ending = { outcome: 'failed' };
    try {
      ending = await work({ ...run, waitsFor, domain });
      if (domain.hasHeld) ended.abort();
      run.waitsFor(pending);
      return ending;
    } finally {
      if (!isGood(ending)) ended.abort();
    }
  };
  const [ending] = await Promise.all([working(), following()]);
  const fails = preview.onPending === 'fail';
  return isGood(ending) ? judgeDomain(run, ending, domain.pending(timeout, fails)) : ending;
}

/** What a domain that lacks something makes of a good run. */
function judgeDomain(
  { host, request }: ReleaseContext,
  ending: Ending,
  lacks: SafeText | undefined,
): Ending {
  if (lacks === undefined) return ending;
  const diagnostic = diagnose('SD6001', lacks);
  if (request.target.preview?.onPending === 'fail') return { outcome: 'failed', error: diagnostic };
  host.report({ type: 'warning', diagnostic });
  return ending;
}

/**
 * Does some work beside the look whether the pull request is still open, and ends it if it is not.
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
  // It may fail before the look is over.
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

/** The preview's domain beside the deployment, as it was last seen. */
export class PreviewDomain {
  readonly customWords: CustomWords;
  readonly #run: ReleaseContext;
  readonly #preview: PreviewRequest;
  #latest: ConnectedDomain;
  #trouble: SafeText | undefined;
  #hasHeld = false;
  readonly #words: WordWarner;
  /** True while it is followed, so that it may still be verified. */
  isFollowed = true;

  constructor(run: ReleaseContext, preview: PreviewRequest, placed: ConnectedDomain) {
    this.customWords = run.request.customWords;
    this.#run = run;
    this.#preview = preview;
    this.#latest = placed;
    this.#words = warnOfWords(run.host, this.customWords);
    this.#tell();
  }

  /** True if a check is run at its address. */
  get isChecked(): boolean {
    return this.#run.checks?.asked.some((one) => isAt(one, this.hostname)) === true;
  }

  get hostname(): string {
    return this.#preview.hostname;
  }

  get isVerified(): boolean {
    return this.#report.verification === 'good';
  }

  /** True if a check held at its address. */
  get hasHeld(): boolean {
    return this.#hasHeld;
  }

  /** Takes how it was seen, and why it could not be followed to its end. */
  seen(domain: ConnectedDomain, trouble?: SafeText): void {
    this.#latest = domain;
    this.#trouble = trouble;
    this.#tell();
    if (!this.isChecked) this.#words.see(domain);
  }

  /** A check held at its address: that counts as verified, whatever the service says. */
  held(): void {
    this.#hasHeld = true;
    this.#tell();
  }

  /**
   * What it lacks, and what somebody can do; undefined if it is verified.
   *
   * @param timeout how long it was followed, in milliseconds; absent while it is
   * @param isAlone false: what was warned of already is not told again
   */
  pending(timeout?: number, isAlone = true): SafeText | undefined {
    const text = describePending(this.#report, timeout);
    return text && joinSafe([text, ...this.#help(isAlone)], ' ');
  }

  get #report(): DomainReport {
    const { projectId, host } = this.#run;
    const isOurs = assignedTo(this.#latest) === projectId;
    const shown = verificationOf(this.#latest, this.customWords);
    const judged = this.#hasHeld ? 'good' : shown;
    const trouble = isOurs ? this.#trouble : safe`It is no longer assigned to this project.`;
    return previewReport(this.#preview.hostname, this.#latest, host.clean, {
      customWords: this.customWords,
      verification: isOurs ? judged : 'pending',
      trouble,
    });
  }

  #tell(): void {
    this.#run.found({ preview: { ...this.#report, isLive: false } });
  }

  /** What would tell that it is verified although its words do not. */
  #help(isAlone: boolean): SafeText[] {
    const { clean } = this.#run.host;
    const unknown = unknownWords(this.#latest, this.customWords);
    const lines = unknown
      .filter((word) => isAlone || !this.#words.hasTold(word))
      .map((word) => teachWord(clean(word)));
    const isBlank = describeStatuses(this.#latest) === '';
    if ((unknown.length === 0 && !isBlank) || this.isChecked) return lines;
    return [
      ...lines,
      safe`A page there that answers counts, too: verify-url: https://{preview-domain}/`,
    ];
  }
}

/** How long the service may take to say at which domain it serves, in milliseconds: the run has ended well by then. */
const longest = 10_000;

/**
 * Finds out at which domain the project serves what was deployed, for a run that has neither a preview nor domains of
 * its own. Nothing depends on it: where the domains cannot be listed, a note says so.
 */
export async function findAddress({
  client,
  host,
  request,
  projectId,
  found,
}: ReleaseContext): Promise<void> {
  const { target, checks, customWords } = request;
  if (target.preview !== undefined) return;
  const limit = AbortSignal.any([host.signal, AbortSignal.timeout(longest)]);
  try {
    const domains = await client.listConnectedDomains(limit);
    const { origin } = checks?.place ?? {};
    const checked = origin === undefined ? undefined : URL.parse(origin)?.hostname;
    const hostname = servingDomain(domains, { projectId, checked, customWords });
    if (hostname === undefined || !hostnameShape.safeParse(hostname).success) return;
    const shown = host.clean(hostname);
    // Where a part of it is hidden, it is no address.
    if (shown === hostname) found({ address: safe`https://${shown}` });
  } catch (error) {
    if (limit.aborted) return;
    if (!(error instanceof ServiceError)) throw error;
    const text = safe`The output url stays empty: the connected domains cannot be listed. ${error.message}`;
    host.report({ type: 'note', text });
  }
}
