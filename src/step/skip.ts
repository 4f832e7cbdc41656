import type { Inputs } from '../inputs/input.ts';
import type { Problem } from '../kernel/diagnostic.ts';
import type { RunEvent } from '../kernel/event.ts';
import { type SkipReason, skipReasons } from '../kernel/skip-reason.ts';

/** A step that has nothing to do. */
export interface Skip {
  kind: 'skip';
  /** The output `skipped-reason`. */
  reason: SkipReason;
  /** The reason as a sentence without its period. */
  message: string;
}

/** A step whose inputs are wrong. */
export interface Wrong {
  kind: 'wrong';
  problems: readonly Problem[];
}

/** True if a step has nothing to do, or must not do it. */
export const isRefused = (job: { kind: string }): job is Skip | Wrong =>
  job.kind === 'skip' || job.kind === 'wrong';

/** Who may start an action. */
export interface Admission {
  /** The allowed values of GitHub's `author_association`, in capitals. */
  allowed: readonly string[];
  /** True if the author of a pull request must be allowed, too: the action has no other guard against them. */
  checksProposers: boolean;
}

/** Who may start an action that has no input `allowed-associations`. */
export const insiders = ['OWNER', 'MEMBER', 'COLLABORATOR'] as const;

/** What decides whether a step may run. */
interface Starting {
  inputs: Inputs<{ 'api-key': string }>;
  context: { event: RunEvent };
}

/**
 * Why a step is skipped. The user who started the run is checked first, so that a stranger learns nothing else.
 */
export function whyNotToStart(step: Starting, admission: Admission): Skip | undefined {
  const message = whyNotAllowed(step.context.event, admission);
  return message === undefined
    ? missingKey(step)
    : { kind: 'skip', reason: 'not-allowed', message };
}

/**
 * Why an action must not run, as the end of a sentence; undefined if it may. Events that only writers can trigger
 * always run; events that anyone may trigger never do, whatever `allowed` lists.
 */
export function whyNotAllowed(
  { trust, label }: RunEvent,
  { allowed, checksProposers }: Admission,
): string | undefined {
  const { starter } = trust;
  if (starter.kind === 'anybody') {
    return `anyone may be able to start ${label}, and it doesn't include their association with the repository`;
  }
  if (!('association' in starter)) return undefined;
  if (starter.kind === 'proposer' && !checksProposers) return undefined;
  if (allowed.includes(starter.association.toUpperCase())) return undefined;
  return `the author's association is not one of ${allowed.join(', ')}`;
}

/**
 * Why a step without a key is skipped: its pull request gets no secrets. Undefined if it has a key, or must have one: a
 * push that deploys nothing must not pass, even if Dependabot merged it.
 */
export function missingKey({ inputs, context }: Starting): Skip | undefined {
  const { trust, pullRequest } = context.event;
  const hasKey = (inputs.get('api-key') ?? '') !== '';
  if (hasKey || trust.withheld === undefined || pullRequest === undefined) return undefined;
  const message = `api-key is empty, and ${skipReasons[trust.withheld]}`;
  return { kind: 'skip', reason: trust.withheld, message };
}

/** The values of the inputs, or all that is wrong with them. */
export function unlessWrong<All>(
  { problems: wrong, values }: Inputs<All>,
  more: readonly Problem[],
): { kind: 'valid'; values: All } | Wrong {
  const problems = [...wrong, ...more];
  if (values === undefined || problems.length > 0) return { kind: 'wrong', problems };
  return { kind: 'valid', values };
}
