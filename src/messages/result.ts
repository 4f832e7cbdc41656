import type { ConfirmedBy } from '../follow/model/evaluate.ts';
import type { Diagnostic } from '../kernel/diagnostic.ts';
import type { Outcome } from '../kernel/outcome.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import { nameOf } from '../report/closing.ts';

/** Everything that a run of the message command has to say. */
export interface MessageReport {
  outcome: Outcome;
  projectId: string;
  message?: { id: SafeText; status: SafeText };
  /** What was maybe made twice, and what is known of it, in words. */
  uncertainties?: readonly SafeText[];
  confirmedBy?: ConfirmedBy;
  /** What the turn said, line by line, cut at 60,000 characters. */
  text: SafeText;
  /** True if it said more. */
  isCut: boolean;
  requests: number;
  unconnected?: number;
  durationMs: number;
  /** One line: what went wrong and what to do. */
  error?: Diagnostic;
}

/** Who said that the turn ended, in words. */
export const confirmations: Readonly<Partial<Record<ConfirmedBy, string>>> = {
  stream: 'seen on its event stream',
  poll: "seen in the project's list of messages",
  answer: 'said by the answer to the message',
};

/** What a message came to: a deployment's words would not fit. */
const titles: Readonly<Partial<Record<Outcome, SafeText>>> = {
  succeeded: safe`Done`,
  failed: safe`The message failed`,
  'timed-out': safe`Timed out before the answer ended`,
  cancelled: safe`Cancelled before the answer ended`,
  unconfirmed: safe`Message accepted, and nothing confirms its end`,
  accepted: safe`Message accepted, not followed`,
};

/** What a message came to, in a few words. */
export const titleFor = (outcome: Outcome): SafeText =>
  titles[outcome] ?? unsafeText(nameOf(outcome));
