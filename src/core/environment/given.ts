import type { VariableKind } from '../../contract/environment.ts';
import { codePoints, limits, surelyTooLong } from '../../contract/limits.ts';
import type { Problem } from '../problem.ts';
import { clean } from '../text/clean.ts';
import type { Targets } from './desired.ts';

/** A variable as one source gives it. */
export interface Given {
  name: string;
  value: string;
  /** True: whatever its kind, it must not be shown. Absent: as its kind says, which then comes from an input. */
  isHidden?: boolean;
  /** Absent: not said. */
  kind?: VariableKind | undefined;
  /** The variable of the step's environment that the value is. */
  from?: string;
  targets?: Targets | undefined;
}

const validName = /^[^\s=\p{Cc}\p{Cf}]+$/u;

function problemOf({ name, value }: Given, secretInputs: ReadonlySet<string>): string | undefined {
  const shown = clean(name, 60);
  if (!validName.test(name)) return `"${shown}" is no name of a variable`;
  if (surelyTooLong(name, limits.variableName.max)) {
    return `a name has ${codePoints(name)} characters; the service takes at most ${limits.variableName.max}`;
  }
  if (surelyTooLong(value, limits.variableValue.max)) {
    return `the value of ${shown} has ${codePoints(value)} characters; the service takes at most ${limits.variableValue.max}`;
  }
  if (value.includes('\0')) return `the value of ${shown} holds a NUL character`;
  if (secretInputs.has(value.trim())) {
    return `the value of ${shown} is that of a secret input of this action, such as api-key or github-token, which only the action may know: give the site a secret of its own`;
  }
  return undefined;
}

/**
 * The variables of one source: checked, and each name once.
 *
 * @param secretInputs the values of the action's secret inputs, trimmed
 * @param problems takes what is wrong with them, never with a value in it
 */
export function checkGiven(
  source: string,
  given: readonly Given[],
  secretInputs: ReadonlySet<string>,
  problems: Problem[],
): Given[] {
  const byName = new Map<string, Given>();
  for (const variable of given) {
    const message = problemOf(variable, secretInputs);
    const other = byName.get(variable.name);
    if (message !== undefined) problems.push({ input: source, message });
    else if (other === undefined) byName.set(variable.name, variable);
    else if (other.value !== variable.value) {
      const twice = `${variable.name} is given twice with different values: keep one of them`;
      problems.push({ input: source, message: twice });
    }
  }
  return [...byName.values()];
}
