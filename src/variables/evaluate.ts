import type { Environment, Variable } from '../contract/environment.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import type { ConflictPolicy } from './intent.ts';
import { planVariable, type VariableAction, type VariablePlan } from './model/variable-plan.ts';

/** True if a variable was written between two looks at it, as far as its version and its time tell. */
export function wasWritten(before: Variable, now: Variable): boolean {
  const times = [before.updatedAt, now.updatedAt];
  const hasTimes = times.every((time) => typeof time === 'string');
  return before.version !== now.version || (hasTimes && times[0] !== times[1]);
}

/**
 * The variables that show that a write was carried out; empty if nothing does. A new one is there, of a replaced
 * one the version or the time moved, and a retargeted one applies to what it should.
 */
export function confirmingVariables(
  action: VariableAction,
  { desired, observed }: VariablePlan,
  variables: readonly Variable[],
): Variable[] {
  if (observed === undefined) return variables.filter(({ name }) => name === desired.name);
  const now = variables.find(({ id }) => id === observed.id);
  if (now === undefined) return [];
  const isRetargeted = now.preview === desired.preview && now.production === desired.production;
  return (action === 'retarget' ? isRetargeted : wasWritten(observed, now)) ? [now] : [];
}

/** What is to be seen of a variable whose write did not show. */
export function describeUnchanged(
  { desired, observed }: VariablePlan,
  variables: readonly Variable[],
): SafeText {
  if (observed === undefined) return safe`no such variable`;
  const now = variables.find(({ id }) => id === observed.id);
  return now === undefined
    ? safe`no ${unsafeText(desired.name)}`
    : safe`the variable as it was (version ${now.version})`;
}

/** True if what the service says of its runtimes is not what it said before: something was written. */
export function runtimesChanged(before: Environment, now: Environment): boolean {
  const said = ({ preview, production }: Environment) =>
    JSON.stringify([preview?.revision, preview?.stale, production?.revision, production?.pending]);
  return said(before) !== said(now);
}

/**
 * True if versions are known to move in this service, so that one which stands still tells something.
 *
 * @param step how far a write of ours was seen to move one, in this run or in an earlier one
 */
export function versionsMove(variables: readonly Variable[], step: number | undefined): boolean {
  return step !== undefined || new Set(variables.map(({ version }) => version)).size > 1;
}

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

/** How far one write moved a variable's version. */
export interface VersionStep {
  name: string;
  step: number;
}

/** The smallest step that a write of ours was seen to make, which is what one write makes. */
export function smallestStep(
  steps: readonly VersionStep[],
  known: number | undefined,
): number | undefined {
  const all = steps.map(({ step }) => step).concat(known ?? []);
  const positive = all.filter((step) => step > 0);
  return positive.length === 0 ? undefined : positive.reduce((a, b) => Math.min(a, b));
}

/**
 * The variables whose version moved further than one write moves it: somebody else's write came in between,
 * and the service took ours although it should have refused it (section "Environment variables": behaviour
 * when `expectedVersion` does not match is not shown). Where no two variables have the same version, the
 * service may count its versions in common, and nothing can be told.
 */
export function writtenOver(
  steps: readonly VersionStep[],
  known: number | undefined,
  versions: readonly number[],
): string[] {
  const one = smallestStep(steps, known);
  const inCommon = versions.length > 1 && new Set(versions).size === versions.length;
  if (one === undefined || inCommon) return [];
  return steps.filter(({ step }) => step > one).map(({ name }) => name);
}

/**
 * Knows the environment that a run works on. An answer to a write names no project, and may show another one:
 * it is believed only if it shows what is known to be there, and nothing that this run does not declare.
 */
export class EnvironmentMatcher {
  /** Ids that must be shown. */
  readonly #standing = new Set<string>();
  /** Ids that were shown, or whose deletion was asked for. */
  readonly #seen = new Set<string>();
  readonly #declared: ReadonlySet<string>;

  /**
   * @param observed what a look at the environment has shown
   * @param declared the names that this run may create
   */
  constructor(observed: Environment, declared: Iterable<string>) {
    this.#declared = new Set(declared);
    this.look(observed);
  }

  /** Learns from a look at the environment, which is what somebody else may have changed meanwhile. */
  look({ variables }: Environment): void {
    const shown = new Set(variables.map(({ id }) => id));
    for (const id of this.#standing) if (!shown.has(id)) this.#standing.delete(id);
    for (const id of shown) {
      if (!this.#seen.has(id)) this.#standing.add(id);
      this.#seen.add(id);
    }
  }

  /** Learns that a variable is about to be deleted: from now on it may be gone. */
  willDelete(id: string): void {
    this.#standing.delete(id);
  }

  /** Whether an answer to a write shows this environment. */
  recognizes({ variables }: Environment): boolean {
    const shown = new Set(variables.map(({ id }) => id));
    const isWhole = [...this.#standing].every((id) => shown.has(id));
    return (
      isWhole && variables.every(({ id, name }) => this.#seen.has(id) || this.#declared.has(name))
    );
  }
}
