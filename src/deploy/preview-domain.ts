import { isAt } from '../checks/site-checks.ts';
import type { ConnectedDomain } from '../contract/connected-domain.ts';
import { describePending } from '../domains/describe-pending.ts';
import { teachWord } from '../domains/model/domain.ts';
import type { DomainReport } from '../domains/model/domain-report.ts';
import {
  assignedTo,
  describeStatuses,
  type TaughtWords,
  unknownWords,
  verificationOf,
} from '../domains/model/domain-state.ts';
import { previewReport } from '../domains/model/preview-report.ts';
import { type WordWarner, warnOfWords } from '../domains/unknown-words.ts';
import { joinSafe, type SafeText, safe } from '../kernel/text/safe.ts';
import type { PreviewRequest } from '../previews/preview.ts';
import type { Deploying } from '../release/context.ts';

/** The preview's domain beside the deployment, as it was last seen. */
export class PreviewDomain {
  readonly taught: TaughtWords;
  readonly #run: Deploying;
  readonly #preview: PreviewRequest;
  #latest: ConnectedDomain;
  #trouble: SafeText | undefined;
  #hasHeld = false;
  readonly #words: WordWarner;
  /** True while it is followed, so that it may still be verified. */
  isFollowed = true;

  constructor(run: Deploying, preview: PreviewRequest, placed: ConnectedDomain) {
    const { successStates: success, failureStates: failure } = run.request;
    this.taught = { success, failure };
    this.#run = run;
    this.#preview = preview;
    this.#latest = placed;
    this.#words = warnOfWords(run.host, this.taught);
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
    const shown = verificationOf(this.#latest, this.taught);
    const judged = this.#hasHeld ? 'good' : shown;
    const trouble = isOurs ? this.#trouble : safe`It is no longer assigned to this project.`;
    return previewReport(this.#preview.hostname, this.#latest, host.clean, {
      taught: this.taught,
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
    const unknown = unknownWords(this.#latest, this.taught);
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
