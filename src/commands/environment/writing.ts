import type { Variable } from '../../contract/environment.ts';
import type { Action, VariablePlan } from '../../core/environment/variable-plan.ts';
import type { VersionStep } from '../../core/environment/version-step.ts';
import type { VariableOutcome, VariableResult } from '../../core/report/environment.ts';
import type { Performed } from './perform.ts';

/** A variable as our own writes surely left it: its version is the one of our last write. */
export interface Settled {
  variable: Variable;
  /** True if this run created it. */
  created: boolean;
}

/** What is to be remembered of a variable that is not as we left it. */
export type Doubt = 'foreign' | 'unanswered';

/** A variable after its writes. */
export interface WrittenVariable {
  result: VariableResult;
  /** How many times a `create` was sent, if an answer to one was lost: it may take effect late, beside another. */
  doubtfulCreates: number;
  /** Absent if it was left alone, or if somebody else's write may be the last one. */
  settled?: Settled;
  /** The variable that somebody else's write, or an unanswered one of ours, left. */
  doubtful?: { variable: Variable; doubt: Doubt };
  /** How far each write moved the version. */
  steps: readonly VersionStep[];
}

/** One variable, on its way. */
export interface Writing {
  plan: VariablePlan;
  done: Action[];
  valueDone: boolean;
  /** A write was sent whose answer was lost. */
  unanswered: boolean;
  /** How many times a `create` was sent. */
  creates: number;
  /** The answer to one of them was lost. */
  mayBeTwice: boolean;
  /** True if the service's version of it is our own last write. */
  isSure: boolean;
  created: boolean;
  /** The variable as a second look showed it. */
  now: Variable | undefined;
  steps: VersionStep[];
  reason: string;
}

/** What became of a variable. `ended` says how, if it was left alone. */
export function finish(writing: Writing, ended?: VariableOutcome): WrittenVariable {
  const { plan, done, creates, mayBeTwice, reason, steps } = writing;
  const retargeted = done.includes('retarget');
  const written = done.includes('replace') ? 'replaced' : retargeted ? 'retargeted' : 'unchanged';
  const outcome = ended ?? (done.includes('create') || mayBeTwice ? 'created' : written);
  return {
    result: { name: plan.desired.name, outcome, retargeted, reason },
    doubtfulCreates: mayBeTwice ? creates : 0,
    steps,
    ...knowledge(writing, ended),
  };
}

/** What a run may remember of the variable. */
function knowledge(
  { plan: { observed: variable }, isSure, created, now, unanswered }: Writing,
  ended: VariableOutcome | undefined,
): Pick<WrittenVariable, 'settled' | 'doubtful'> {
  if (ended !== undefined) {
    const left = now ?? variable;
    return left === undefined ? {} : { doubtful: { variable: left, doubt: 'foreign' } };
  }
  if (variable === undefined) return {};
  if (isSure) return { settled: { variable, created } };
  return unanswered ? { doubtful: { variable, doubt: 'unanswered' } } : {};
}

/** Writes of a variable that ended in an error, and what is known of it nevertheless. */
export interface InterruptedWrites
  extends Pick<WrittenVariable, 'settled' | 'doubtful' | 'steps' | 'doubtfulCreates'> {
  error: unknown;
}

/**
 * What is known of a variable whose writes ended in an error: what was answered before it, and whether the last
 * write may have taken effect.
 *
 * @param mayHaveArrived the write that ended so may have taken effect
 */
export function interrupt(
  { plan, isSure, created, done, unanswered, steps, creates, mayBeTwice }: Writing,
  error: unknown,
  mayHaveArrived: boolean,
): InterruptedWrites {
  const { observed: variable } = plan;
  const known = { error, steps, doubtfulCreates: mayBeTwice ? creates : 0 };
  if (variable === undefined) return known;
  return {
    ...known,
    ...(isSure && done.length > 0 ? { settled: { variable, created } } : {}),
    ...(unanswered || mayHaveArrived ? { doubtful: { variable, doubt: 'unanswered' } } : {}),
  };
}

const collisions = {
  beside:
    'somebody else created a variable of this name in the same moment, and the service keeps both: remove all but one',
  replaced:
    'somebody else created a variable of this name in the same moment, and the service put ours in its place',
} as const;

/**
 * Notes what an answered write left. Gives how the variable ended, if it must be settled by somebody.
 */
export function note(
  writing: Writing,
  action: Action,
  { variable, isSure, collision }: Performed,
): 'conflict' | undefined {
  const { plan, mayBeTwice } = writing;
  const before = plan.observed;
  writing.plan = {
    ...plan,
    actions: plan.actions.slice(1),
    ...(variable === undefined ? {} : { observed: variable }),
  };
  writing.done.push(action);
  writing.valueDone ||= action !== 'retarget';
  writing.isSure = isSure && (writing.isSure || action !== 'retarget');
  if (action === 'create' && variable !== undefined) {
    writing.created = isSure && collision === undefined && !mayBeTwice;
  }
  // After a lost answer the second one may be our own, which is removed at the end.
  const isTheirs = collision !== undefined && !mayBeTwice;
  if (isTheirs) writing.reason = collisions[collision];
  if (before !== undefined && variable !== undefined) {
    writing.steps.push({ name: plan.desired.name, step: variable.version - before.version });
  }
  return isTheirs && collision === 'beside' ? 'conflict' : undefined;
}

/** A variable of which nothing is written yet. */
export function beginWriting(plan: VariablePlan): Writing {
  const valueDone = plan.actions.every((action) => action === 'retarget');
  return {
    plan,
    done: [],
    valueDone,
    unanswered: false,
    creates: 0,
    mayBeTwice: false,
    isSure: valueDone,
    created: false,
    now: undefined,
    steps: [],
    reason: plan.reason,
  };
}
