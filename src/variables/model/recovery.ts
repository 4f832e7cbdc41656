import type { Variable } from '../../contract/environment.ts';
import { type SafeText, safe } from '../../kernel/text/safe.ts';
import {
  type ConflictPolicy,
  planVariable,
  type VariableAction,
  type VariablePlan,
} from './variable-plan.ts';

/** A write that did not clearly succeed, and what a second look at the service shows. */
export interface Interruption {
  plan: VariablePlan;
  /** The write that was interrupted. */
  action: VariableAction;
  /** True if the value needs no write: it was written in this run, or never had to be. */
  valueDone: boolean;
  /** True if a write of this variable was sent whose answer was lost. */
  unanswered: boolean;
  /** The variable as it is now; absent if there is none of its name. */
  now: Variable | undefined;
  policy: ConflictPolicy;
  /** How far one write moves a version. */
  step: number;
}

/** How to go on with the variable. */
export type Recovery =
  | {
      kind: 'continue';
      plan: VariablePlan;
      valueDone: boolean;
      /** True if the interrupted write is taken as done. */
      accepted: boolean;
      /** What to tell of it; absent if there is nothing to tell. */
      reason?: SafeText;
    }
  | {
      kind: 'kept' | 'conflict';
      reason: SafeText;
      /** True if it may be our own write, all the same. */
      isMaybeOurs: boolean;
    };

/** True if nothing happened to the variable since the plan was made. */
function isUntouched({ plan, now }: Interruption): boolean {
  const { observed } = plan;
  return observed?.id === now?.id && observed?.version === now?.version;
}

/**
 * True if the variable looks exactly as our own write would have left it: one step on, or
 * new, with our kind. Somebody else's write would have to match all of that in the same moment.
 */
function looksLikeOurs({ plan, action, now, step }: Interruption): boolean {
  if (now === undefined) return false;
  const { desired, observed } = plan;
  const { preview, production } = action === 'replace' && observed ? observed : desired;
  const sameTargets = now.preview === preview && now.production === production;
  const next =
    observed === undefined || (now.id === observed.id && now.version === observed.version + step);
  return next && sameTargets && now.kind === desired.kind;
}

const sentAgain = safe`sent again, because nothing showed that it had arrived`;

function versions({ plan, now }: Interruption): SafeText {
  const before = plan.observed === undefined ? safe`none` : safe`version ${plan.observed.version}`;
  return safe`${before} when it was read, ${now === undefined ? safe`gone` : safe`version ${now.version}`} now`;
}

/**
 * Decides how to go on after a write that was refused, or whose answer was lost, from a second look.
 * Nothing is ever sent again without one. Under `overwrite` the value is simply written again, which is
 * harmless if it was ours; under `keep` and `fail` a change that may be somebody else's is left alone.
 */
export function recover(interruption: Interruption): Recovery {
  const { plan, action, valueDone, unanswered, now, policy } = interruption;
  const { desired } = plan;
  const goOn = (done: boolean, accepted: boolean, reason?: SafeText): Recovery => {
    const next = planVariable(desired, now, { kind: done ? 'written' : 'unknown' }, policy);
    const told = reason === undefined ? {} : { reason };
    return { kind: 'continue', plan: { desired, ...next }, valueDone: done, accepted, ...told };
  };
  if (isUntouched(interruption)) {
    const again = unanswered ? safe`${plan.reason}; ${sentAgain}` : undefined;
    return goOn(valueDone, false, again);
  }
  const looksSo = looksLikeOurs(interruption);
  const twice = looksSo && !unanswered ? safe`, or by our own request, carried out twice` : safe``;
  const moved = safe`changed elsewhere during the run (${versions(interruption)})${twice}`;
  if (policy === 'overwrite') {
    return goOn(
      false,
      false,
      unanswered ? safe`written again: an answer was lost` : safe`${moved}: overwritten`,
    );
  }
  if (looksSo && unanswered) {
    const reason = safe`the answer was lost; the service shows it as it was sent`;
    return goOn(valueDone || action !== 'retarget', true, reason);
  }
  const doubt = unanswered ? safe`; it may be our own write, whose answer was lost` : safe``;
  const kind = policy === 'keep' ? 'kept' : 'conflict';
  return { kind, reason: safe`${moved}${doubt}`, isMaybeOurs: unanswered || looksSo };
}
