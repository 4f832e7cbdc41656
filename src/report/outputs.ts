import type { PlannedChange } from '../kernel/change.ts';
import { type Diagnostic, printed } from '../kernel/diagnostic.ts';
import type { Outcome } from '../kernel/outcome.ts';
import { defuseJson, type SafeText } from '../kernel/text/safe.ts';
import type { Next, PlanOutput } from '../output-shapes.ts';

/** The most bytes of an output of variable length. GitHub allows 1 MiB for a job's outputs, two bytes per character. */
const longestOutput = 256_000;

/** Room for the number of omitted items. */
const spaceForCount = 40;

/** The values of an action's outputs, by name; undefined or an empty text where there is nothing to say. */
export type OutputValues = Readonly<Record<string, unknown>> & {
  readonly plan?: PlanOutput | undefined;
  readonly 'plan-digest'?: string | undefined;
  readonly unknown?: readonly { readonly why: string }[] | undefined;
};

/** What is wrong with one input. */
export interface WrongInput<Text extends string = SafeText> extends Diagnostic<Text> {
  /** The input, or the source, such as an environment variable. */
  input: string;
}

/** The result of a run as data. */
export interface RunResult {
  /** The action; undefined for a command line that names none. */
  action: string | undefined;
  outputs: OutputValues & { readonly outcome: Outcome };
  error?: Diagnostic<string> | undefined;
  /** What to do after the error, if the command knows it. */
  next?: Next | undefined;
  /** What is wrong with the inputs, each by itself. */
  wrongInputs?: readonly WrongInput<string>[] | undefined;
}

/** A value as JSON that a later step may print: it contains no workflow command. */
export function jsonOutput(value: unknown): string {
  return defuseJson(JSON.stringify(value));
}

/** The fields of a result that say something, as `schema/result.schema.json` describes them. */
function fieldsOf({
  action,
  outputs,
  error,
  next,
  wrongInputs,
}: RunResult): Record<string, unknown> {
  const all = {
    schema: 1,
    action,
    ...outputs,
    error: error && { code: error.code, message: error.text, next },
    problems: wrongInputs?.map(({ input, code, text }) => ({ input, code, message: text })),
  };
  const said = Object.entries(all).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(said);
}

/** A result as one line of JSON, in which what has nothing to say is absent. */
export const resultJson = (result: RunResult): string => jsonOutput(fieldsOf(result));

const sizeOf = (value: unknown): number => Buffer.byteLength(jsonOutput(value));

/** The fields as an output: the longest are left out until it fits, and `omitted` has their names. */
function resultOutput(
  fields: Readonly<Record<string, unknown>>,
  omitted: readonly string[] = [],
): string {
  const whole = omitted.length === 0 ? fields : { ...fields, omitted };
  if (sizeOf(whole) <= longestOutput) return jsonOutput(whole);
  const [longest] = Object.keys(fields).sort(
    (one, other) => sizeOf(fields[other]) - sizeOf(fields[one]),
  );
  const others = Object.entries(fields).filter(([name]) => name !== longest);
  return resultOutput(Object.fromEntries(others), [...omitted, longest ?? '']);
}

/** A value as the text of an output. */
function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'object' ? jsonOutput(value) : String(value);
}

/** A result as the texts of all outputs of the action; empty where there is nothing to say. */
export function outputTexts(result: RunResult): Record<string, string> {
  const { outputs, error } = result;
  const texts = Object.entries(outputs).map(([name, value]) => [name, textOf(value)]);
  return {
    ...Object.fromEntries(texts),
    error: error === undefined ? '' : printed(error),
    'error-code': error?.code ?? '',
    result: resultOutput(fieldsOf(result)),
  };
}

/** The items of a list that fit into so many bytes as JSON, in order, and the number of omitted ones. */
function fittingItems<Item>(items: readonly Item[], space: number) {
  const sizes = items.map((item) => sizeOf(item) + 1);
  const size = sizes.reduce((sum, one) => sum + one, 0);
  if (size <= space) return { fitting: [...items], leftOut: 0 };
  let left = space - spaceForCount;
  const fitting = items.filter((_, index) => {
    const one = sizes[index] ?? 0;
    if (one > left) return false;
    left -= one;
    return true;
  });
  return { fitting, leftOut: items.length - fitting.length };
}

/** A list as an output. If it is too long, items are omitted, and a last item has their number. */
export function listOutput<Item>(items: readonly Item[]): (Item | { 'left-out': number })[] {
  const { fitting, leftOut } = fittingItems(items, longestOutput - 2);
  return leftOut === 0 ? fitting : [...fitting, { 'left-out': leftOut }];
}

/** A change of a plan as an output: what is not there is absent, instead of null. */
function changeOutput({
  differences,
  project,
  changedElsewhere,
  ...change
}: PlannedChange): PlanOutput['changes'][number] {
  return {
    ...change,
    differences: differences?.map(({ from, ...field }) => ({ ...field, from: from ?? undefined })),
    project: project && { from: project.from ?? undefined, to: project.to ?? undefined },
    'changed-elsewhere': changedElsewhere,
  };
}

/** A plan as an output. If it is too long, changes are omitted, and a field has their number. */
export function planOutput(digest: string, changes: readonly PlannedChange[]): PlanOutput {
  const space = longestOutput - jsonOutput({ digest, changes: [] }).length;
  const { fitting, leftOut } = fittingItems(changes.map(changeOutput), space);
  return { digest, changes: fitting, 'left-out': leftOut === 0 ? undefined : leftOut };
}
