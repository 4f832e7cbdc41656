import type { ConfirmedBy } from '../follow/model/evaluate.ts';
import type { Diagnostic } from '../kernel/diagnostic.ts';
import type { Outcome } from '../kernel/outcome.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import { nameOf } from '../report/closing.ts';

export interface MessageReport {
  outcome: Outcome;
  projectId: string;
  message?: { id: SafeText; status: SafeText };
  /** Why something may exist twice. */
  uncertainties?: readonly SafeText[];
  confirmedBy?: ConfirmedBy;
  /** The text of the turn, cut at 60,000 characters. */
  text: SafeText;
  /** True if the text is longer. */
  isCut: boolean;
  requests: number;
  unconnected?: number;
  durationMs: number;
  /** One line: what went wrong and what to do. */
  error?: Diagnostic;
}

/** The source that showed the end of the turn. */
export const confirmations: Readonly<Partial<Record<ConfirmedBy, string>>> = {
  stream: "from the turn's event stream",
  poll: "from the project's list of messages",
  answer: 'from the response to the message',
};

/** Titles where those of deployments don't fit. */
const titles: Readonly<Partial<Record<Outcome, SafeText>>> = {
  succeeded: safe`Done`,
  failed: safe`The message failed`,
  'timed-out': safe`Timed out before the turn ended`,
  cancelled: safe`Canceled before the turn ended`,
  unconfirmed: safe`Message accepted, result unconfirmed`,
  accepted: safe`Message accepted, not followed`,
};

export const titleFor = (outcome: Outcome): SafeText =>
  titles[outcome] ?? unsafeText(nameOf(outcome));
