import type { Environment, Variable } from '../contract/environment.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import type { ConflictPolicy } from './intent.ts';
import { planVariable, type VariableAction, type VariablePlan } from './model/variable-plan.ts';

/** True if a variable's version or time shows a write between two reads. */
export function wasWritten(before: Variable, now: Variable): boolean {
  const times = [before.updatedAt, now.updatedAt];
  const hasTimes = times.every((time) => typeof time === 'string');
  return before.version !== now.version || (hasTimes && times[0] !== times[1]);
}

/**
 * The variables that confirm a write, if any: a new one exists, a replaced one has another version or time, a
 * retargeted one has the desired targets.
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

/** The state of a variable whose write is not confirmed. */
export function describeUnchanged(
  { desired, observed }: VariablePlan,
  variables: readonly Variable[],
): SafeText {
  if (observed === undefined) return safe`the variable does not exist`;
  const now = variables.find(({ id }) => id === observed.id);
  return now === undefined
    ? safe`${unsafeText(desired.name)} does not exist`
    : safe`the variable is unchanged (version ${now.version})`;
}

/** True if the runtimes' state changed, which shows that something was written. */
export function runtimesChanged(before: Environment, now: Environment): boolean {
  const stateOf = ({ preview, production }: Environment) =>
    JSON.stringify([preview?.revision, preview?.stale, production?.revision, production?.pending]);
  return stateOf(before) !== stateOf(now);
}

/**
 * True if this service is known to increase versions, so that an unchanged version is evidence of no write.
 *
 * @param step how far a write of this action increased a version, in this run or an earlier one
 */
export function versionsMove(variables: readonly Variable[], step: number | undefined): boolean {
  return step !== undefined || new Set(variables.map(({ version }) => version)).size > 1;
}

/** A write that did not clearly succeed, and the state read afterwards. */
export interface Interruption {
  plan: VariablePlan;
  /** The write that was interrupted. */
  action: VariableAction;
  /** True if the value was written in this run or did not have to be. */
  valueDone: boolean;
  /** True if the response to a write of this variable was lost. */
  unanswered: boolean;
  /** The variable as it is now; absent if there is none of its name. */
  now: Variable | undefined;
  policy: ConflictPolicy;
  /** How far one write increases a version. */
  step: number;
}

/** How to continue with the variable. */
type Recovery =
  | {
      kind: 'continue';
      plan: VariablePlan;
      valueDone: boolean;
      /** True if the interrupted write counts as done. */
      accepted: boolean;
      /** What to report, if anything. */
      reason?: SafeText;
    }
  | {
      kind: 'kept' | 'conflict';
      reason: SafeText;
      /** True if the change may be this run's own write. */
      isMaybeOwn: boolean;
    };

/** True if the variable did not change since the plan was made. */
function isUntouched({ plan, now }: Interruption): boolean {
  const { observed } = plan;
  return observed?.id === now?.id && observed?.version === now?.version;
}

/**
 * True if the variable is exactly as this run's write would leave it: new or one step further, with the desired kind
 * and targets. Another write would have to match all of that at the same time.
 */
function resemblesOwn({ plan, action, now, step }: Interruption): boolean {
  if (now === undefined) return false;
  const { desired, observed } = plan;
  const { preview, production } = action === 'replace' && observed ? observed : desired;
  const sameTargets = now.preview === preview && now.production === production;
  const next =
    observed === undefined || (now.id === observed.id && now.version === observed.version + step);
  return next && sameTargets && now.kind === desired.kind;
}

const sentAgain = safe`sent again after a lost response`;

function versions({ plan, now }: Interruption): SafeText {
  const before =
    plan.observed === undefined ? safe`absent` : safe`version ${plan.observed.version}`;
  return safe`was ${before}, now ${now === undefined ? safe`deleted` : safe`version ${now.version}`}`;
}

/**
 * Decides how to continue after a rejected write or a lost response, from the state read afterwards. `overwrite`
 * writes the value again; `keep` and `fail` never overwrite a change that may come from elsewhere.
 */
export function recover(interruption: Interruption): Recovery {
  const { plan, action, valueDone, unanswered, now, policy } = interruption;
  const { desired } = plan;
  const proceed = (done: boolean, accepted: boolean, reason?: SafeText): Recovery => {
    const next = planVariable(desired, now, { kind: done ? 'written' : 'unknown' }, policy);
    const explained = reason === undefined ? {} : { reason };
    return {
      kind: 'continue',
      plan: { desired, ...next },
      valueDone: done,
      accepted,
      ...explained,
    };
  };
  if (isUntouched(interruption)) {
    const again = unanswered ? safe`${plan.reason}; ${sentAgain}` : undefined;
    return proceed(valueDone, false, again);
  }
  const isLikelyOwn = resemblesOwn(interruption);
  const twice =
    isLikelyOwn && !unanswered ? safe`, or a request of this run was applied twice` : safe``;
  const moved = safe`changed outside this action during the run (${versions(interruption)})${twice}`;
  if (policy === 'overwrite') {
    return proceed(
      false,
      false,
      unanswered ? safe`written again after a lost response` : safe`${moved}: overwritten`,
    );
  }
  if (isLikelyOwn && unanswered) {
    const reason = safe`the response was lost, but the service has the variable as sent`;
    return proceed(valueDone || action !== 'retarget', true, reason);
  }
  const doubt = unanswered ? safe`; it may be this run's own write (lost response)` : safe``;
  const kind = policy === 'keep' ? 'kept' : 'conflict';
  return { kind, reason: safe`${moved}${doubt}`, isMaybeOwn: unanswered || isLikelyOwn };
}

/** How far one write increased a variable's version. */
export interface VersionStep {
  name: string;
  step: number;
}

/** The smallest step that a write of this action made, taken as the step of one write. */
export function smallestStep(
  steps: readonly VersionStep[],
  known: number | undefined,
): number | undefined {
  const all = steps.map(({ step }) => step).concat(known ?? []);
  const positive = all.filter((step) => step > 0);
  return positive.length === 0 ? undefined : positive.reduce((a, b) => Math.min(a, b));
}

/**
 * The variables whose version increased by more than one write: another write came in between, and the service did
 * not reject this one (section "Environment variables" doesn't show what happens if `expectedVersion` doesn't match).
 * Empty if no two variables have the same version: the service may use one counter for all.
 */
export function writtenOver(
  steps: readonly VersionStep[],
  known: number | undefined,
  versions: readonly number[],
): string[] {
  const one = smallestStep(steps, known);
  const mayShareCounter = versions.length > 1 && new Set(versions).size === versions.length;
  if (one === undefined || mayShareCounter) return [];
  return steps.filter(({ step }) => step > one).map(({ name }) => name);
}

/**
 * Recognizes the environment of a run. The response to a write names no project and might show another one: it counts
 * only if it has all known variables and no others, except those that this run declares.
 */
export class EnvironmentMatcher {
  /** Ids that a response must have. */
  readonly #required = new Set<string>();
  /** Ids that a response may have. */
  readonly #known = new Set<string>();
  readonly #declared: ReadonlySet<string>;

  /**
   * @param observed the environment as read
   * @param declared the names that this run may create
   */
  constructor(observed: Environment, declared: Iterable<string>) {
    this.#declared = new Set(declared);
    this.update(observed);
  }

  /** Updates the known ids from the environment as read. */
  update({ variables }: Environment): void {
    const shown = new Set(variables.map(({ id }) => id));
    for (const id of this.#required) if (!shown.has(id)) this.#required.delete(id);
    for (const id of shown) {
      if (!this.#known.has(id)) this.#required.add(id);
      this.#known.add(id);
    }
  }

  /** Accepts from now on that a response lacks a variable. */
  willDelete(id: string): void {
    this.#required.delete(id);
  }

  /** Whether the response to a write shows this environment. */
  recognizes({ variables }: Environment): boolean {
    const shown = new Set(variables.map(({ id }) => id));
    const isWhole = [...this.#required].every((id) => shown.has(id));
    return (
      isWhole && variables.every(({ id, name }) => this.#known.has(id) || this.#declared.has(name))
    );
  }
}
