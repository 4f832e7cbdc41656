import type { ConnectedDomain } from '../../contract/connected-domain.ts';
import { coded } from '../../core/catalogue/coded.ts';
import {
  assignedTo,
  describeStatuses,
  type TaughtWords,
  unknownWords,
  verificationOf,
} from '../../core/preview/domain-state.ts';
import { previewReport } from '../../core/preview/preview-report.ts';
import type { DomainReport } from '../../core/report/report.ts';
import { joinSafe, type SafeText, safe } from '../../core/text/safe.ts';
import { describePending, type PreviewRequest } from '../preview/preview.ts';
import type { Deploying } from './context.ts';

/** How many words that no table has are warned of. */
const mostWarnings = 5;

/** The line that teaches a word. */
const teach = (word: SafeText): SafeText =>
  safe`"${word}" is a word that this action does not know: if the service means a good domain by it, set the input success-states: ${word}.`;

/** The preview's domain beside the deployment, as it was last seen. */
export class PreviewDomain {
  readonly taught: TaughtWords;
  readonly #run: Deploying;
  readonly #preview: PreviewRequest;
  #latest: ConnectedDomain;
  #trouble: SafeText | undefined;
  #hasHeld = false;
  readonly #warned = new Set<string>();

  constructor(run: Deploying, preview: PreviewRequest, placed: ConnectedDomain) {
    const { successStates: success, failureStates: failure } = run.request;
    this.taught = { success, failure };
    this.#run = run;
    this.#preview = preview;
    this.#latest = placed;
    this.#tell();
  }

  /** True if `verify-url` is looked at at its address. */
  get isChecked(): boolean {
    return this.#run.page?.isAt(this.#preview.hostname) === true;
  }

  /** Takes how it was seen, and why it could not be followed to its end. */
  seen(domain: ConnectedDomain, trouble?: SafeText): void {
    this.#latest = domain;
    this.#trouble = trouble;
    this.#tell();
    if (!this.isChecked) this.#warn();
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
   */
  pending(timeout?: number): SafeText | undefined {
    const text = describePending(this.#report, timeout);
    return text && joinSafe([text, ...this.#help()], ' ');
  }

  get #report(): DomainReport {
    const { projectId, host } = this.#run;
    const isOurs = assignedTo(this.#latest) === projectId;
    const shown = verificationOf(this.#latest, this.taught);
    const judged = this.#hasHeld ? 'good' : shown;
    const trouble = isOurs ? this.#trouble : safe`It is no longer assigned to this project.`;
    return previewReport(this.#preview.hostname, this.#latest, host.clean, {
      verification: isOurs ? judged : 'pending',
      trouble,
    });
  }

  #tell(): void {
    this.#run.found({ preview: { ...this.#report, isLive: false } });
  }

  /** Warns of a word that no table has when it is first seen, with the line that teaches it. */
  #warn(): void {
    const { report, clean } = this.#run.host;
    for (const word of unknownWords(this.#latest, this.taught)) {
      if (this.#warned.has(word) || this.#warned.size === mostWarnings) continue;
      this.#warned.add(word);
      report({
        type: 'warning',
        text: coded('SD6111', safe`Of the domain ${this.#hostname}: ${teach(clean(word))}`),
      });
    }
  }

  get #hostname(): SafeText {
    return this.#run.host.clean(this.#preview.hostname);
  }

  /** What would tell that it is verified although its words do not. */
  #help(): SafeText[] {
    const { clean } = this.#run.host;
    const unknown = unknownWords(this.#latest, this.taught).map((word) => teach(clean(word)));
    const isBlank = describeStatuses(this.#latest) === '';
    if ((unknown.length === 0 && !isBlank) || this.isChecked) return unknown;
    return [
      ...unknown,
      safe`A page there that answers counts, too: verify-url: https://{preview-domain}/`,
    ];
  }
}
