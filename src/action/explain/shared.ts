import type { DeclaredVariables } from '../../declared/declared.ts';
import type { Values } from '../../inputs.ts';
import { listNames } from '../../kernel/text/list-names.ts';
import { type SafeText, safe, trusted } from '../../kernel/text/safe.ts';
import type { Sanitize } from '../../kernel/text/sanitize.ts';
import type { ExplainedVariable, Grant } from '../../report/explain/explanation.ts';
import type { DesiredVariable } from '../../variables/intent.ts';
import { describeTargets } from '../../variables/model/describe-targets.ts';
import type { Left } from './facts.ts';

/** The inputs of every action that writes variables. */
type SyncValues = Values<'env-sync'>;

const onConflict = {
  overwrite: safe`One that was changed elsewhere is overwritten`,
  keep: safe`One that was changed elsewhere is kept`,
  fail: safe`One that was changed elsewhere ends the run before anything is deployed`,
} as const;

/** What is done with the variables that are declared. */
export function sayVariables(
  { variables, removals }: Pick<DeclaredVariables, 'variables' | 'removals'>,
  values: Pick<SyncValues, 'env-on-conflict'>,
  isDeployed: boolean,
  clean: Sanitize,
): SafeText | Left {
  const count = variables.length;
  const removed =
    removals.size === 0
      ? safe``
      : safe` Deleted, where the service has it: ${listNames([...removals.keys()], clean)}.`;
  if (count === 0 && removals.size === 0) {
    return { leaves: safe`none is declared, so none is written or deleted.` };
  }
  const when = isDeployed ? safe` before the deployment` : safe``;
  const none = safe`None is declared.`;
  const counted =
    count === 0
      ? none
      : count === 1
        ? safe`1 is declared: it is written${when}, unless the service has it already.`
        : safe`${count} are declared: each is written${when}, unless the service has it already.`;
  return safe`${counted} ${onConflict[values['env-on-conflict']]} (env-on-conflict).${removed}`;
}

/** The variables that are declared, by name. */
export function listVariables(
  variables: readonly DesiredVariable[],
  clean: Sanitize,
): ExplainedVariable[] {
  return variables.map(({ name, kind, source, from, preview, production }) => ({
    name: clean(name),
    kind: trusted(kind),
    targets: describeTargets({ preview, production }),
    from:
      from === undefined
        ? safe`written out in ${clean(source)}`
        : safe`${clean(from)} of the step's environment, by ${clean(source)}`,
  }));
}

/** Which files the step reads; undefined if it reads none. */
export function sayWorkspace(
  { config, 'env-file': files = [] }: Pick<SyncValues, 'config' | 'env-file'>,
  clean: Sanitize,
): SafeText | undefined {
  const named = [...(config === undefined ? [] : [config]), ...files];
  if (named.length === 0) return undefined;
  return safe`${listNames(named, clean)} must be checked out by a step before.`;
}

/** What reading files takes. */
export const checkingOut: Grant = {
  scope: 'contents',
  level: 'read',
  why: safe`to check the files out`,
};

/** That there is no key; undefined if there is one. */
export const sayKey = (values: Pick<SyncValues, 'api-key'>): Left | undefined =>
  values['api-key'] === ''
    ? { leaves: safe`api-key is empty. Explaining needs none; a run that does all this needs it.` }
    : undefined;
