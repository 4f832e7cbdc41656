import type { Declared } from '../../declared/declared.ts';
import type { DeployWork, PlannedRequest } from '../../deploy/work.ts';
import type { Step } from '../../frame/step.ts';
import type { Values } from '../../inputs.ts';
import type { PullRequestSource } from '../../kernel/event/pull-request.ts';
import type { SafeText } from '../../kernel/text/safe.ts';
import type { Sanitize } from '../../kernel/text/sanitize.ts';
import type { Grant } from '../../report/explain/explanation.ts';

/** What a deploy run was prepared to do, from which each sentence about it is made. */
export interface ExplainFacts {
  step: Step<'deploy'>;
  values: Values<'deploy'>;
  work: DeployWork;
  /** What would be asked of the deploy command; undefined if it is not used. */
  request: PlannedRequest | undefined;
  declared: Declared;
  /** How the pull request is found; undefined if the event is about none. */
  source: PullRequestSource | undefined;
  /** Makes outside text printable and free of secrets. */
  clean: Sanitize;
}

/** That a thing is not done, and why. */
export interface Left {
  leaves: SafeText;
}

/** What is said about one thing, and what the job has to be granted for it. */
export interface Sentence {
  about: SafeText;
  /** What is done and why, or why it is not; undefined where there is nothing to say. */
  says(facts: ExplainFacts): SafeText | Left | undefined;
  /** Only asked where something is done. */
  grants?(facts: ExplainFacts): readonly Grant[];
}
