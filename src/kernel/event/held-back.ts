import type { WorkflowEvent } from '../event.ts';
import { clean } from '../text/clean.ts';
import { trustIn } from './trust.ts';
import { readEndedRun } from './workflow-run.ts';

/** Who may start an action. */
export interface Admission {
  /** The allowed values of GitHub's `author_association`. */
  allowed: readonly string[];
  /** True if the author of a pull request must be allowed, too: the action has no other guard against them. */
  holdsProposers: boolean;
}

/** Names an event that anyone may be able to trigger. */
function nameOf({ name, payload }: WorkflowEvent): string {
  if (name !== 'workflow_run') return `the event "${clean(name, 60)}"`;
  const { cause } = readEndedRun(payload);
  const what = cause === '' ? 'by an unnamed event' : `by "${clean(cause, 60)}"`;
  return `a workflow_run triggered ${what}`;
}

/**
 * Why an action must not run, as the end of a sentence; undefined if it may. Events that only writers can trigger
 * always run; events that anyone may trigger never do, whoever is allowed.
 */
export function whyHeldBack(
  event: WorkflowEvent,
  { allowed, holdsProposers }: Admission,
): string | undefined {
  const { starter } = trustIn(event);
  if (starter.kind === 'anybody') {
    return `anyone may be able to start ${nameOf(event)}, and it doesn't include their association with the repository`;
  }
  if (!('association' in starter)) return undefined;
  if (starter.kind === 'proposer' && !holdsProposers) return undefined;
  const word = starter.association.toUpperCase();
  if (allowed.some((one) => one.toUpperCase() === word)) return undefined;
  return `the author's association is not one of ${allowed.join(', ')} (allowed-associations)`;
}
