import type { SafeText } from '../../kernel/text/safe.ts';
import type { Subject } from '../subject.ts';
import type { Grant } from './grants.ts';

/** One thing that a run would do, and why, or why it would not do it, in a sentence. */
export type Statement = {
  /** What it is about, in a word or two. */
  about: SafeText;
} & ({ does: SafeText } | { leaves: SafeText });

/** A variable that would be written, if it is not there already. Never its value. */
export interface ExplainedVariable {
  name: SafeText;
  kind: SafeText;
  targets: SafeText;
  /** Where its value comes from. */
  from: SafeText;
}

/** A check that would be run. */
export interface ExplainedCheck {
  what: SafeText;
  wanted: SafeText;
}

/** What a run would come to: to fail says that no answer of GitHub's lets it begin. */
export type ExplainedOutcome = 'planned' | 'skipped' | 'failed';

/** What a run would do for an event, and why. */
export interface Explanation {
  subject: Subject;
  /** What it would do, in the words behind "this run would". */
  would: SafeText;
  outcome: ExplainedOutcome;
  statements: readonly Statement[];
  variables: readonly ExplainedVariable[];
  checks: readonly ExplainedCheck[];
  grants: readonly Grant[];
}

/** An explanation without what it is about. */
export type Said = Omit<Explanation, 'subject'>;
