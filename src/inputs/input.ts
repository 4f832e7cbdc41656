import type { InputSchema } from '../input-schemas.ts';
import type { Problem } from '../kernel/problem.ts';

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

/** One action: its face to workflow authors. */
export interface ActionDefinition {
  name: string;
  description: string;
  inputs: Readonly<Record<string, Input>>;
  outputs: Readonly<Record<string, string>>;
}

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
