import type { Input, Inputs, InputTable, ValuesOf } from '../inputs/input.ts';
import type { Code } from '../kernel/code.ts';
import { type Problem, requiredAndEmpty } from '../kernel/diagnostic.ts';
import { clean } from '../kernel/text/safe.ts';
import type { Platform } from '../platform.ts';

/** The texts of the inputs as they were given. */
type Given = Platform['input'];

/**
 * Reads all inputs of an action. Every invalid one is reported, with its value unless it is secret.
 *
 * @param refused what the platform refuses of them
 */
export function readInputs<Table extends InputTable>(
  table: Table,
  given: Given,
  refused: readonly Problem[] = [],
): Inputs<ValuesOf<Table>> {
  const right: Record<string, unknown> = {};
  const problems: Problem[] = [...refused];
  const secrets: string[] = [];
  for (const [name, input] of Object.entries<Input>(table)) {
    const text = textOf(name, input, given);
    if (input.secret === true && text !== '') secrets.push(text);
    const isFree = text === '' && mayMiss(input, table, given);
    const read = isFree ? { value: text } : readText(input, text);
    if ('value' in read) right[name] = read.value;
    else {
      const code = text === '' ? 'SD1001' : codeOf(name);
      problems.push({ input: name, code, message: read.fault });
    }
  }
  // Each value comes from the schema of the same name in the table.
  const values = right as ValuesOf<Table>;
  return {
    values: problems.length === 0 ? values : undefined,
    problems,
    secrets,
    get: (name) => (name in right ? values[name] : undefined),
    with: (names, make) => (names.every((name) => name in right) ? make(values) : undefined),
  };
}

/** The text of an input; missing and empty are the same. */
function textOf(name: string, input: Input, given: Given): string {
  const text = given(name) ?? '';
  const value = input.verbatim === true ? text : text.trim();
  const isToken = input.default?.startsWith('${{') === true;
  return value === '' && !isToken ? (input.default ?? '') : value;
}

/** True if an input may be empty because of another one's value. */
function mayMiss<Table extends InputTable>(
  { unless = {} }: Input,
  table: Table,
  given: Given,
): boolean {
  return Object.entries(unless).some(([name, value]) => {
    const other = table[name];
    return other !== undefined && textOf(name, other, given) === value;
  });
}

/** Reads an input's text. A fault includes the text unless it is secret. */
function readText(input: Input, text: string): ReturnType<Input['schema']> {
  if (text === '') return input.required ? { fault: requiredAndEmpty } : { value: undefined };
  const read = input.schema(text);
  if ('value' in read || input.secret === true) return read;
  return { fault: `"${clean(withoutCredentials(text), 80)}" ${read.fault}` };
}

/** An invalid text without what may be the credentials of a URL in it. */
const withoutCredentials = (text: string): string =>
  text.replace(/^([a-z]+:[/\\]+|https?:)?.*@/is, '$1***@');

/** The code of an input with an invalid value. */
const ownCodes: Readonly<Record<string, Code>> = {
  'base-url': 'SD1003',
  'api-key': 'SD1004',
  'project-id': 'SD1005',
  'preview-projects': 'SD1005',
  'commit-sha': 'SD1006',
};

const codeOf = (name: string): Code =>
  Object.hasOwn(ownCodes, name) ? (ownCodes[name] ?? 'SD1002') : 'SD1002';
