import type { Problem } from '../core/problem.ts';
import { clean } from '../core/text/clean.ts';
import { type ActionName, actions, type Input, type Values } from '../inputs.ts';

/** The step's environment. */
export type StepEnvironment = Readonly<Record<string, string | undefined>>;

/** The inputs of a step: those that are right, and what is wrong with the others. */
export interface ReadInputs<Name extends ActionName> {
  values: Partial<Values<Name>>;
  problems: Problem[];
  /** The values of the secret inputs, right or wrong. */
  secrets: string[];
}

/** The text of an input as the runner gives it; missing and empty are the same. */
function textOf(name: string, input: Input, environment: StepEnvironment): string {
  const text = environment[`INPUT_${name.replaceAll(' ', '_').toUpperCase()}`] ?? '';
  const given = input.verbatim === true ? text : text.trim();
  const isToken = input.default?.startsWith('${{') === true;
  return given === '' && !isToken ? (input.default ?? '') : given;
}

function messageOf(input: Input, text: string, issue: string | undefined): string | undefined {
  if (text === '') return input.required === true ? 'is required, and empty' : undefined;
  const harmless = text.replace(/\/\/[^/]*@/g, '//***@');
  const shown = input.secret === true ? '' : `"${clean(harmless, 80)}" `;
  return issue === undefined ? undefined : `${shown}${issue}`;
}

/**
 * Reads all inputs of an action from the step's environment (`INPUT_NAME`, dashes kept). Every wrong one is
 * reported, with its value unless it is secret.
 */
export function readInputs<Name extends ActionName>(
  action: Name,
  environment: StepEnvironment,
): ReadInputs<Name> {
  const values: Record<string, unknown> = {};
  const problems: Problem[] = [];
  const secrets: string[] = [];
  for (const [name, input] of Object.entries<Input>(actions[action].inputs)) {
    const text = textOf(name, input, environment);
    if (input.secret === true && text !== '') secrets.push(text);
    const parsed = text === '' ? undefined : input.schema.safeParse(text);
    const message = messageOf(input, text, parsed?.error?.issues[0]?.message);
    if (message === undefined) values[name] = parsed?.data;
    else problems.push({ input: name, message });
  }
  // Each value comes from the schema that stands under the same name in the table.
  return { values: values as Partial<Values<Name>>, problems, secrets };
}
