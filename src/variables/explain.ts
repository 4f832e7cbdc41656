import { listNames } from '../kernel/names.ts';
import { type SafeText, type Sanitize, safe, unsafeText } from '../kernel/text/safe.ts';
import { does, type ExplainedVariable, leaves, type Row } from '../report/explanation.ts';
import type { ConflictPolicy, DesiredVariable, VariablesRequest } from './intent.ts';
import { describeTargets } from './model/variable-plan.ts';

const conflicts: Readonly<Record<ConflictPolicy, SafeText>> = {
  overwrite: safe`Changes made outside this action are overwritten`,
  keep: safe`Variables changed outside this action are kept`,
  fail: safe`A variable changed outside this action fails the job`,
};

function describeCount(count: number, isDeployed: boolean): SafeText {
  const when = isDeployed ? safe` before the deployment` : safe``;
  if (count === 0) return safe`None declared.`;
  return count === 1
    ? safe`1 declared: written${when} unless unchanged.`
    : safe`${count} declared: each is written${when} unless unchanged.`;
}

/** Explains what a run would do with the declared variables. @param isDeployed true if a deployment follows */
export function explainVariables(
  { variables, removals, onConflict }: VariablesRequest,
  isDeployed: boolean,
  clean: Sanitize,
): Row {
  const about = safe`Variables`;
  if (variables.length === 0 && removals.size === 0) return leaves(about, safe`none declared.`);
  const removed =
    removals.size === 0
      ? safe``
      : safe` Deleted if on the service: ${listNames([...removals.keys()], clean)}.`;
  const counted = describeCount(variables.length, isDeployed);
  return does(about, safe`${counted} ${conflicts[onConflict]} (env-on-conflict).${removed}`);
}

/** The declared variables, without their values. */
export function listVariables(
  variables: readonly DesiredVariable[],
  clean: Sanitize,
): ExplainedVariable[] {
  return variables.map(({ name, kind, source, from, preview, production }) => ({
    name: clean(name),
    kind: unsafeText(kind),
    targets: describeTargets({ preview, production }),
    from:
      from === undefined
        ? safe`value in ${clean(source)}`
        : safe`${clean(from)} in the step's environment (${clean(source)})`,
  }));
}
