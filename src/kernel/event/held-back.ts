import type { WorkflowEvent } from '../event.ts';
import { clean } from '../text/clean.ts';
import { trustIn } from './trust.ts';
import { readEndedRun } from './workflow-run.ts';

/** Who may start an action. */
export interface Admission {
  /** What somebody must be to the repository, in GitHub's words. */
  allowed: readonly string[];
  /** True if whoever opens a pull request must be so, too: the action has no other guard against them. */
  holdsProposers: boolean;
}

/** The event that nobody vouches for, in words. */
function nameOf({ name, payload }: WorkflowEvent): string {
  if (name !== 'workflow_run') return `the event "${clean(name, 60)}"`;
  const { cause } = readEndedRun(payload);
  const what = cause === '' ? 'that does not say what' : `that "${clean(cause, 60)}"`;
  return `a workflow_run ${what} set off`;
}

/**
 * Why an action must not act in a run, as the end of a sentence; undefined if it may. What only the repository's
 * writers can start is never held back; what nobody vouches for always is, whoever is allowed.
 */
export function whyHeldBack(
  event: WorkflowEvent,
  { allowed, holdsProposers }: Admission,
): string | undefined {
  const { starter } = trustIn(event);
  if (starter.kind === 'anybody') {
    return `anybody may be able to start ${nameOf(event)}, and it does not say what they are to the repository`;
  }
  if (!('association' in starter)) return undefined;
  if (starter.kind === 'proposer' && !holdsProposers) return undefined;
  const word = starter.association.toUpperCase();
  if (allowed.some((one) => one.toUpperCase() === word)) return undefined;
  return `only ${allowed.join(', ')} may start it (allowed-associations), and whoever wrote this is none of them`;
}
