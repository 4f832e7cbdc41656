import type { InputSchema } from '../input-schemas.ts';

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
