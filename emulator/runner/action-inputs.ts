import { evaluate, type GitHubContext } from './github-context.ts';
import type { Manifest } from './manifest.ts';
import type { Step } from './step.ts';

/**
 * The step's inputs with the action's defaults; an input without default is the empty string. The runner does
 * not enforce `required`. Inputs that the action does not have, and deprecated ones, give a warning.
 */
export function resolveInputs(
  manifest: Manifest,
  given: Readonly<Record<string, string>>,
  github: GitHubContext,
  step: Step,
): Map<string, string> {
  const inputs = new Map(Object.entries(given));
  const known = Object.entries(manifest.inputs ?? {});
  const lowerCase = new Set(Object.keys(given).map((name) => name.toLowerCase()));
  for (const [name, input] of known) {
    if (!lowerCase.has(name.toLowerCase())) {
      inputs.set(name, evaluate(input?.default ?? '', github));
    } else if (input?.deprecationMessage !== undefined) {
      step.warning(`Input '${name}' has been deprecated with message: ${input.deprecationMessage}`);
    }
  }
  warnOfUnexpected(
    Object.keys(given),
    known.map(([name]) => name),
    step,
  );
  return inputs;
}

function warnOfUnexpected(given: string[], known: string[], step: Step): void {
  const valid = new Set(known.map((name) => name.toLowerCase()));
  const unexpected = given.filter((name) => !valid.has(name.toLowerCase()));
  if (unexpected.length === 0) return;
  const list = (names: string[]) => `'${names.join("', '")}'`;
  step.warning(`Unexpected input(s) ${list(unexpected)}, valid inputs are [${list(known)}]`);
}

/** The `INPUT_…` variables: spaces become `_`, letters upper case, dashes stay. */
export function inputVariables(inputs: ReadonlyMap<string, string>): Record<string, string> {
  return Object.fromEntries(
    [...inputs].map(([name, value]) => [`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`, value]),
  );
}
