import { listNames } from '../kernel/text/list-names.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import type { Sanitize } from '../kernel/text/sanitize.ts';
import type { ExplainedVariable, Statement } from '../report/explain/explanation.ts';
import type { ConflictPolicy, DesiredVariable, VariablesRequest } from './intent.ts';
import { describeTargets } from './model/describe-targets.ts';

/** What a run would do with variables. */
export interface VariablesIntent extends VariablesRequest {
  /** True if a deployment follows. */
  isDeployed: boolean;
}

const onConflict: Readonly<Record<ConflictPolicy, SafeText>> = {
  overwrite: safe`One that was changed elsewhere is overwritten`,
  keep: safe`One that was changed elsewhere is kept`,
  fail: safe`One that was changed elsewhere ends the run before anything is deployed`,
};

function describeCount(count: number, isDeployed: boolean): SafeText {
  const when = isDeployed ? safe` before the deployment` : safe``;
  if (count === 0) return safe`None is declared.`;
  return count === 1
    ? safe`1 is declared: it is written${when}, unless the service has it already.`
    : safe`${count} are declared: each is written${when}, unless the service has it already.`;
}

/** Explains what is done with the variables that are declared. */
export function explainVariables(intent: VariablesIntent, clean: Sanitize): Statement {
  const about = safe`Variables`;
  const { variables, removals, isDeployed } = intent;
  if (variables.length === 0 && removals.size === 0) {
    return { about, leaves: safe`none is declared, so none is written or deleted.` };
  }
  const removed =
    removals.size === 0
      ? safe``
      : safe` Deleted, where the service has it: ${listNames([...removals.keys()], clean)}.`;
  const counted = describeCount(variables.length, isDeployed);
  return {
    about,
    does: safe`${counted} ${onConflict[intent.onConflict]} (env-on-conflict).${removed}`,
  };
}

/** The variables that are declared, by name. */
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
        ? safe`written out in ${clean(source)}`
        : safe`${clean(from)} of the step's environment, by ${clean(source)}`,
  }));
}
