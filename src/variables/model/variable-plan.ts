import type { Variable } from '../../contract/environment.ts';
import { isNew } from '../../kernel/change.ts';
import { joinSafe, type SafeText, safe, unsafeText } from '../../kernel/text/safe.ts';
import type { Fingerprint, Ledger, LedgerEntry } from '../../ledger/model/ledger.ts';
import type { ConflictPolicy, DesiredVariable, RemovalSource, Targets } from '../intent.ts';

/** The names of the runtimes that a variable applies to. */
export function describeTargets({ preview, production }: Targets): SafeText {
  if (preview && production) return safe`preview and production`;
  if (preview) return safe`preview`;
  return production ? safe`production` : safe`no runtime`;
}

/** What is known about the value of a variable on the service. */
export type ValueState =
  /** Nothing: the service never returns values (section "Environment variable"). */
  | { kind: 'unknown' }
  /** This run has written it. */
  | { kind: 'written' }
  /**
   * This action wrote version `version`, with the declared value or another one. `isUnanswered`: the response to a
   * later write was lost. `isTouched`: same version, other time, on a service not known to increase versions.
   */
  | { kind: 'ours'; version: number; sameValue: boolean; isUnanswered?: true; isTouched?: true }
  /** It was created elsewhere, and kept. */
  | { kind: 'foreign' }
  /** This action wrote another variable with this name, which no longer exists. */
  | { kind: 'another'; version: number };

/** Answers from a ledger about a project's variables. */
export interface LedgerReader {
  valueStateOf(desired: DesiredVariable, observed: Variable): ValueState;
  /** The version of a variable with this name that this action wrote, if any. */
  lastVersionOf(name: string): number | undefined;
  /** True if this action wrote the current version. */
  isWritten(variable: Variable): boolean;
  /** The same as `valueStateOf` for a variable that is not declared; `sameValue` is then false. */
  writeStateOf(observed: Variable): ValueState;
}

/**
 * The state of a variable that this action wrote. If the service is known to increase versions, the version alone shows
 * whether it was written again; otherwise its time does, and without a time nothing is known.
 */
function planOwn(
  entry: LedgerEntry,
  { version, updatedAt }: Variable,
  expected: string | undefined,
  versionStep: number | undefined,
): ValueState {
  const isDecisive = entry.version !== version || versionStep !== undefined;
  const hasTimes = entry.updatedAt !== undefined && typeof updatedAt === 'string';
  if (!isDecisive && !hasTimes) return { kind: 'unknown' };
  return {
    kind: 'ours',
    version: entry.version,
    sameValue: entry.fingerprint === expected,
    ...(entry.doubt === 'unanswered' ? { isUnanswered: true as const } : {}),
    ...(isDecisive || entry.updatedAt === updatedAt ? {} : { isTouched: true as const }),
  };
}

/**
 * Reads a ledger. An entry counts only if its version matches the service's; if the service is not known to increase
 * versions, its time must match too, because an outdated ledger would have the same versions.
 */
export function readLedger(ledger: Ledger, fingerprint: Fingerprint): LedgerReader {
  const byId = new Map(ledger.entries.map((entry) => [entry.id, entry]));
  const byName = new Map(ledger.entries.map((entry) => [entry.name, entry]));
  const stateOf = (observed: Variable, name: string, expected: () => string | undefined) => {
    const entry = byId.get(observed.id);
    if (entry?.doubt === 'foreign') return { kind: 'foreign' } as const;
    if (entry?.doubt === 'untraceable') return { kind: 'unknown' } as const;
    if (entry !== undefined) return planOwn(entry, observed, expected(), ledger.versionStep);
    const former = byName.get(name);
    if (former === undefined) return { kind: 'unknown' } as const;
    const isForeign = former.doubt === 'foreign';
    if (isForeign) return { kind: 'foreign' } as const;
    return { kind: 'another', version: former.version } as const;
  };
  return {
    valueStateOf: ({ name, kind, value }, observed) => {
      const { id, version } = observed;
      return stateOf(observed, name, () => fingerprint({ id, name, kind, version, value }));
    },
    writeStateOf: (observed) => {
      const entry = byId.get(observed.id);
      const hasMoved = entry?.doubt === 'untraceable' && entry.version !== observed.version;
      // It changed since this action last read it; who changed it doesn't matter here.
      if (hasMoved) return { kind: 'ours', version: entry.version, sameValue: false };
      return stateOf(observed, observed.name, () => undefined);
    },
    lastVersionOf: (name) => {
      const former = byName.get(name);
      return former?.doubt === 'foreign' ? undefined : former?.version;
    },
    isWritten: ({ id, version }) => {
      const entry = byId.get(id);
      return entry?.version === version && entry.doubt !== 'foreign';
    },
  };
}

/** One write of a plan. */
export type VariableAction = 'create' | 'replace' | 'retarget';

/** The plan for one declared variable. */
export interface VariablePlan {
  desired: DesiredVariable;
  /** The variable as read; absent if it is to be created. */
  observed?: Variable;
  /** The writes, in order; empty if there are none. */
  actions: readonly VariableAction[];
  reason: SafeText;
  /** Set if the variable was changed elsewhere and the policy doesn't overwrite it. */
  left?: 'kept' | 'conflict';
  /** True if it was probably changed elsewhere since this action wrote it. */
  changedElsewhere?: true;
}

type Declared = Pick<DesiredVariable, 'kind' | keyof Targets>;

const sameTargets = (a: Targets, b: Targets): boolean =>
  a.preview === b.preview && a.production === b.production;

/** Why a value must be written; undefined if it is up to date. */
function whyReplace(
  desired: Declared,
  observed: Variable,
  valueState: ValueState,
): SafeText | undefined {
  const { kind } = observed;
  const isOtherKind = kind !== undefined && kind !== null && kind !== desired.kind;
  if (valueState.kind === 'written') return undefined;
  if (isOtherKind) return safe`the kind changes to ${unsafeText(desired.kind)}`;
  if (valueState.kind !== 'ours') return safe`it exists, without a record of its value`;
  return valueState.sameValue ? undefined : safe`the value changed since the last run`;
}

/** How a variable was changed elsewhere since this action wrote it; undefined if it was not. */
function describeMove({ version }: Variable, valueState: ValueState): SafeText | undefined {
  if (valueState.kind === 'another') {
    return safe`changed outside this action (deleted at version ${valueState.version}, created again at version ${version})`;
  }
  if (valueState.kind === 'foreign')
    return safe`created outside this action, or by a request of this action that was applied twice`;
  if (valueState.kind !== 'ours') return undefined;
  const doubt =
    valueState.isUnanswered === true
      ? safe` or by a write of this action without a response`
      : safe``;
  if (valueState.isTouched === true) {
    return safe`changed outside this action${doubt} (updated after this action's last write, still at version ${version})`;
  }
  if (valueState.version === version) return undefined;
  return safe`changed outside this action${doubt} (now version ${version}, this action wrote version ${valueState.version})`;
}

const leftAs = { keep: 'kept', fail: 'conflict' } as const;

/**
 * Plans one variable. The service never returns values (section "Environment variable"), so a variable without a
 * ledger entry is always written.
 */
export function planVariable(
  desired: Declared,
  observed: Variable | undefined,
  valueState: ValueState,
  policy: ConflictPolicy,
): Omit<VariablePlan, 'desired'> {
  if (observed === undefined) {
    return { actions: ['create'], reason: isNew };
  }
  const moved = describeMove(observed, valueState);
  const elsewhere = moved !== undefined && { changedElsewhere: true as const };
  if (moved !== undefined && policy !== 'overwrite') {
    return { observed, actions: [], reason: moved, left: leftAs[policy], ...elsewhere };
  }
  const replace = moved ?? whyReplace(desired, observed, valueState);
  const retarget = sameTargets(desired, observed)
    ? undefined
    : safe`targets: ${describeTargets(observed)} → ${describeTargets(desired)}`;
  const reasons = [replace, retarget].filter((reason) => reason !== undefined);
  return {
    observed,
    actions: [
      ...(replace === undefined ? [] : ['replace' as const]),
      ...(retarget === undefined ? [] : ['retarget' as const]),
    ],
    reason: joinSafe(reasons, '; ') || safe`unchanged (version ${observed.version})`,
    ...elsewhere,
  };
}

/** The plan for one variable to delete. */
export interface DeletionPlan {
  observed: Variable;
  reason: SafeText;
  /** Set if it was changed elsewhere and the policy doesn't delete it. */
  left?: 'kept' | 'conflict';
  /** True if it was probably changed elsewhere since this action wrote it. */
  changedElsewhere?: true;
}

const named: Readonly<Record<RemovalSource, SafeText>> = {
  'env-remove': safe`named in env-remove`,
  config: safe`remove: true in the site file`,
};

/** Plans the deletion of a variable. One that this action never wrote doesn't count as changed elsewhere. */
export function planDeletion(
  observed: Variable,
  source: RemovalSource,
  written: ValueState,
  policy: ConflictPolicy,
): DeletionPlan {
  const moved = describeMove(observed, written);
  if (moved === undefined) return { observed, reason: named[source] };
  const reason = safe`${moved}; ${named[source]}`;
  const plan = { observed, reason, changedElsewhere: true as const };
  return policy === 'overwrite' ? plan : { ...plan, left: policy === 'keep' ? 'kept' : 'conflict' };
}
