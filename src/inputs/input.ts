import type { InputSchema } from '../input-schemas.ts';
import type { Problem } from '../kernel/diagnostic.ts';

/** One input of an action. */
export interface Input {
  description: string;
  /** What may be written in it. */
  schema: InputSchema<unknown>;
  /** What stands for an empty input; absent: empty stays empty. */
  default?: string;
  required?: true;
  /** The value of another input with which it need not be given, though it is required; it is an empty text then. */
  unless?: Readonly<Record<string, string>>;
  /** Its value is masked and never shown. */
  secret?: true;
  /** White space around it is part of it. */
  verbatim?: true;
}

/** Inputs by name, as an action or a feature has them. */
export type InputTable = Readonly<Record<string, Input>>;

/** The names of a table's inputs. */
export const namesOf = <Table extends InputTable>(table: Table): (keyof Table & string)[] =>
  Object.keys(table);

/** What is said of outputs, by name. */
export type OutputTable = Readonly<Record<string, string>>;

/** One action: its face to workflow authors. */
export interface ActionDefinition {
  name: string;
  description: string;
  inputs: InputTable;
  outputs: OutputTable;
}

/** A default that is an expression is the runner's: elsewhere the input is empty. */
type Expression = `\${{${string}`;

/** An input that may be empty gives undefined then. */
type ValueOf<One> = One extends { schema: InputSchema<infer Value> }
  ? One extends { default: Expression }
    ? Value | undefined
    : One extends { default: string } | { required: true }
      ? Value
      : Value | undefined
  : never;

/** The values of a table's inputs, under the names that workflow authors write. */
export type ValuesOf<Table> = { -readonly [Key in keyof Table]: ValueOf<Table[Key]> };

/** The inputs of a step as they were read: one whole, or what is wrong with them. */
export interface Inputs<All> {
  /** All of them; undefined if one is wrong. */
  values: All | undefined;
  problems: readonly Problem[];
  /** The values of the secret inputs, right or wrong. */
  secrets: readonly string[];
  /** One of them; undefined if it is empty or wrong. */
  get<Key extends keyof All>(name: Key): All[Key] | undefined;
  /** What `look` makes of some of them; undefined if one of these is wrong, whatever the others are. */
  with<Key extends keyof All, Result>(
    names: readonly Key[],
    look: (values: Pick<All, Key>) => Result,
  ): Result | undefined;
}
