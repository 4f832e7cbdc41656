import type { Variable } from '../../contract/environment.ts';
import { joinSafe, type SafeText, safe, trusted } from '../text/safe.ts';
import type { DesiredVariable, Targets } from './desired.ts';
import type { Memory } from './memory.ts';

/** What to do when the service has another version of a variable than the one that we know. */
export type ConflictPolicy = 'overwrite' | 'keep' | 'fail';

/** One write that a plan asks for. */
export type Action = 'create' | 'replace' | 'retarget';

/** What is to be done about one declared variable. */
export interface VariablePlan {
  desired: DesiredVariable;
  /** The variable as the service showed it; absent if it is to be created. */
  observed?: Variable;
  /** The writes, in order. Empty: nothing is to be done. */
  actions: readonly Action[];
  /** Why, for a person. */
  reason: SafeText;
  /** Set if the policy leaves the variable alone, because it was changed elsewhere. */
  left?: 'kept' | 'conflict';
}

const sameTargets = (a: Targets, b: Targets): boolean =>
  a.preview === b.preview && a.production === b.production;

/** The names of the runtimes that a variable applies to. */
export function describeTargets({ preview, production }: Targets): SafeText {
  if (preview && production) return safe`preview and production`;
  if (preview) return safe`preview`;
  return production ? safe`production` : safe`no runtime`;
}

/** Why a value must be written; undefined if it need not be. */
function whyReplace(
  desired: DesiredVariable,
  observed: Variable,
  memory: Memory,
): SafeText | undefined {
  const { kind } = observed;
  const isOtherKind = kind !== undefined && kind !== null && kind !== desired.kind;
  if (memory.kind === 'written') return undefined;
  if (isOtherKind) return safe`is of another kind, wanted: ${trusted(desired.kind)}`;
  if (memory.kind !== 'ours') return safe`its value is unknown, so it is written again`;
  return memory.sameValue ? undefined : safe`the declared value is not the one written last`;
}

/** In which way the service's variable is not the one that we left; undefined if it is, or if we left none. */
function describeMove({ version }: Variable, memory: Memory): SafeText | undefined {
  if (memory.kind === 'another') {
    return safe`changed elsewhere: the one written by this action (version ${memory.version}) is gone, and another (version ${version}) is in its place`;
  }
  if (memory.kind === 'foreign')
    return safe`created elsewhere, or by a request of ours that was carried out twice`;
  if (memory.kind !== 'ours') return undefined;
  const doubt =
    memory.isUnanswered === true ? safe`, or by this action: its last write was in doubt` : safe``;
  if (memory.isTouched === true) {
    return safe`changed elsewhere${doubt}: its time is not that of this action's last write, and its version (${version}) does not move`;
  }
  if (memory.version === version) return undefined;
  return safe`changed elsewhere${doubt}: this action wrote version ${memory.version}, it has version ${version} now`;
}

const leftAs = { keep: 'kept', fail: 'conflict' } as const;

/**
 * Plans one variable (see "Environment" of the design). A value can never be read (section "Environment
 * variable"), so without memory of it a variable is written again, and said to be of unknown value rather
 * than changed.
 */
export function planVariable(
  desired: DesiredVariable,
  observed: Variable | undefined,
  memory: Memory,
  policy: ConflictPolicy,
): VariablePlan {
  if (observed === undefined) {
    return { desired, actions: ['create'], reason: safe`not on the service yet` };
  }
  const moved = describeMove(observed, memory);
  if (moved !== undefined && policy !== 'overwrite') {
    return { desired, observed, actions: [], reason: moved, left: leftAs[policy] };
  }
  const replace = moved ?? whyReplace(desired, observed, memory);
  const retarget = sameTargets(desired, observed)
    ? undefined
    : safe`applies to ${describeTargets(observed)}, wanted: ${describeTargets(desired)}`;
  const reasons = [replace, retarget].filter((reason) => reason !== undefined);
  return {
    desired,
    observed,
    actions: [
      ...(replace === undefined ? [] : ['replace' as const]),
      ...(retarget === undefined ? [] : ['retarget' as const]),
    ],
    reason: joinSafe(reasons, '; ') || safe`as this action left it (version ${observed.version})`,
  };
}
