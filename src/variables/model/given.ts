import type { VariableKind } from '../../contract/environment.ts';
import { codePoints, limits, surelyTooLong } from '../../contract/limits.ts';
import { type Coded, coded } from '../../kernel/catalogue/coded.ts';
import { clean } from '../../kernel/text/clean.ts';
import type { DesiredVariable, Targets } from './desired.ts';

/** A variable as one source gives it. */
export interface Given {
  name: string;
  value: string;
  /** True: whatever its kind, it must not be shown. Absent: as its kind says, which then comes from an input. */
  isHidden?: boolean;
  /** True: it stands in the workflow as it is, where the runner has printed it already. */
  isLiteral?: boolean;
  /** Absent: not said. */
  kind?: VariableKind | undefined;
  /** The variable of the step's environment that the value is. */
  from?: string;
  targets?: Targets | undefined;
}

const validName = /^[^\s=\p{Cc}\p{Cf}]+$/u;

/** What is wrong with a variable's name (section "Limits"). */
export function nameProblem(name: string): string | undefined {
  if (!validName.test(name)) return `"${clean(name, 60)}" is no name of a variable`;
  return surelyTooLong(name, limits.variableName.max)
    ? `a name has ${codePoints(name)} characters; the service takes at most ${limits.variableName.max}`
    : undefined;
}

/**
 * What is wrong with a variable, without its value.
 *
 * @param secretInputs the values of the action's secret inputs, trimmed
 */
export function problemOf(
  { name, value }: Given,
  secretInputs: ReadonlySet<string>,
): string | undefined {
  const shown = clean(name, 60);
  const wrong = nameProblem(name);
  if (wrong !== undefined) return wrong;
  if (surelyTooLong(value, limits.variableValue.max)) {
    return `the value of ${shown} has ${codePoints(value)} characters; the service takes at most ${limits.variableValue.max}`;
  }
  if (value.includes('\0')) return `the value of ${shown} holds a NUL character`;
  if (secretInputs.has(value.trim())) {
    return `the value of ${shown} is that of a secret input of this action, such as api-key or github-token, which only the action may know: give the site a secret of its own`;
  }
  return undefined;
}

/** The most pairs of such names that are warned of. */
const maxAlike = 10;

/** Tells of names that are the same but for case: right for the service, and most often a slip. */
export function warnOfAlike(variables: readonly DesiredVariable[]): Coded<string>[] {
  const groups = Map.groupBy(variables, ({ name }) => name.toLowerCase());
  const alike = [...groups.values()].filter((group) => group.length > 1);
  const told = alike.slice(0, maxAlike).map((group) => {
    const names = group.map(({ name, source }) => `${clean(name, 60)} (${source})`).join(' and ');
    return coded('SD1208', `${names} differ only by case: they are different variables`);
  });
  const more = alike.length - told.length;
  return more === 0
    ? told
    : [
        ...told,
        coded('SD1208', `${more} more names have others that differ from them only by case`),
      ];
}
