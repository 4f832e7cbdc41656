import type { Variable } from '../../contract/environment.ts';
import { isNew } from '../../kernel/change.ts';
import { joinSafe, type SafeText, safe } from '../../kernel/text/safe.ts';
import {
  type Fingerprint,
  type Ledger,
  type LedgerEntry,
  wasWritten,
} from '../../ledger/model/ledger.ts';
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
  /** This action wrote it, with the declared value or another one: the version and time after that. */
  | ({ kind: 'ours'; sameValue: boolean } & Pick<LedgerEntry, 'version' | 'updatedAt'>)
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

/** Reads a ledger. */
export function readLedger(ledger: Ledger, fingerprint: Fingerprint): LedgerReader {
  const byId = new Map(ledger.entries.map((entry) => [entry.id, entry]));
  const byName = new Map(ledger.entries.map((entry) => [entry.name, entry]));
  const stateOf = (id: string, name: string, expected?: string): ValueState => {
    const entry = byId.get(id);
    if (entry !== undefined) {
      const { version, updatedAt } = entry;
      return { kind: 'ours', version, updatedAt, sameValue: entry.fingerprint === expected };
    }
    const former = byName.get(name);
    if (former === undefined) return { kind: 'unknown' };
    return { kind: 'another', version: former.version };
  };
  return {
    valueStateOf: ({ name, kind, value }, { id, version }) =>
      stateOf(id, name, fingerprint({ id, name, kind, version, value })),
    writeStateOf: ({ id, name }) => stateOf(id, name),
    lastVersionOf: (name) => byName.get(name)?.version,
    isWritten: (variable) => {
      const entry = byId.get(variable.id);
      return entry !== undefined && !wasWritten(entry, variable);
    },
  };
}

/** One write of a plan. */
export type VariableAction = 'create' | 'replace' | 'retarget';

/** The plan for one declared variable. */
export interface VariablePlan {
  desired: DesiredVariable;
  /** The variable as read; absent if it is to be created. */
  observed?: Variable | undefined;
  /** The writes, in order; empty if there are none. */
  actions: readonly VariableAction[];
  reason: SafeText;
  /** Set if the variable was changed elsewhere and the policy doesn't overwrite it. */
  left?: 'kept' | 'conflict';
  /** True if it was probably changed elsewhere since this action wrote it. */
  changedElsewhere?: true | undefined;
}

type Declared = Pick<DesiredVariable, 'kind' | keyof Targets>;

/** True if the input `env` would make a secret variable plain. */
export const unmasks = ({ source }: DesiredVariable, observed: Variable | undefined): boolean =>
  source === 'env' && observed?.kind === 'secret';

/** Why a value must be written; undefined if it is up to date. */
function whyReplace(
  desired: Declared,
  observed: Variable,
  valueState: ValueState,
): SafeText | undefined {
  const { kind } = observed;
  const isOtherKind = kind !== undefined && kind !== null && kind !== desired.kind;
  if (valueState.kind === 'written') return undefined;
  if (isOtherKind) return safe`the kind changes to ${desired.kind}`;
  if (valueState.kind !== 'ours') return safe`it exists, without a record of its value`;
  return valueState.sameValue ? undefined : safe`the value changed since the last run`;
}

/**
 * How a variable was changed since this action last wrote it; undefined if it was not. A write of this action whose
 * response was lost is not in the ledger.
 */
function describeMove(observed: Variable, valueState: ValueState): SafeText | undefined {
  const { version } = observed;
  if (valueState.kind === 'another') {
    return safe`changed outside this action (deleted at version ${valueState.version}, created again at version ${version})`;
  }
  if (valueState.kind !== 'ours' || !wasWritten(valueState, observed)) return undefined;
  const how =
    valueState.version === version
      ? safe`updated after this action's last write, still at version ${version}`
      : safe`now version ${version}, this action wrote version ${valueState.version}`;
  return safe`changed outside this action or by an unconfirmed write (${how})`;
}

/** The result of a variable that was changed elsewhere and is not overwritten. */
export const leftAs = { keep: 'kept', fail: 'conflict' } as const;

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
  const changedElsewhere = moved === undefined ? undefined : true;
  if (moved !== undefined && policy !== 'overwrite') {
    return { observed, actions: [], reason: moved, left: leftAs[policy], changedElsewhere };
  }
  const replace = moved ?? whyReplace(desired, observed, valueState);
  const actions: VariableAction[] = [];
  const reasons: SafeText[] = [];
  if (replace !== undefined) {
    actions.push('replace');
    reasons.push(replace);
  }
  if (desired.preview !== observed.preview || desired.production !== observed.production) {
    actions.push('retarget');
    reasons.push(safe`targets: ${describeTargets(observed)} → ${describeTargets(desired)}`);
  }
  const reason = joinSafe(reasons, '; ') || safe`unchanged (version ${observed.version})`;
  return { observed, actions, reason, changedElsewhere };
}

/** The plan for one variable to delete. */
export interface DeletionPlan {
  observed: Variable;
  reason: SafeText;
  /** Set if it was changed elsewhere and the policy doesn't delete it. */
  left?: 'kept' | 'conflict';
  /** True if it was probably changed elsewhere since this action wrote it. */
  changedElsewhere?: true | undefined;
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
  return policy === 'overwrite' ? plan : { ...plan, left: leftAs[policy] };
}
