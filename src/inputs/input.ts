import type { InputSchema } from '../input-schemas.ts';
import * as schema from '../input-schemas.ts';
import type { Problem } from '../kernel/diagnostic.ts';

/** One input of an action. */
export interface Input {
  description: string;
  /** Its form: reads the text, or says what is wrong with it. */
  schema: InputSchema<unknown>;
  /** The text that an empty input is read as; absent: it stays empty. */
  default?: string;
  required?: true;
  /** The values of other inputs with which a required one may be empty. */
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

/** One action, as workflow authors see it. */
export interface ActionDefinition {
  name: string;
  description: string;
  inputs: InputTable;
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
  /** What `make` makes of some of them; undefined if one of these is wrong, whatever the others are. */
  with<Key extends keyof All, Result>(
    names: readonly Key[],
    make: (values: Pick<All, Key>) => Result,
  ): Result | undefined;
}

/** The inputs that every action has. */
export const common = {
  'api-key': {
    description: 'API key of the service, sent as `x-api-key`.',
    schema: schema.apiKey,
    required: true,
    secret: true,
  },
  'base-url': {
    description: "URL of the service's API, without `/v1`: https, or http on loopback.",
    schema: schema.baseUrl,
    required: true,
  },
  timeout: {
    description: 'Time limit of the whole step: `30s`, `20m`, `1h`, or a number of seconds.',
    schema: schema.duration,
    default: '20m',
  },
} as const satisfies InputTable;

/** The project of an action that is about one. */
export const projectInput = {
  description: 'UUID of the project.',
  schema: schema.projectId,
  required: true,
} as const satisfies Input;

/** The token for GitHub. */
export const gitHubToken = {
  description: 'Token for GitHub: to query it, and to write the comment and the GitHub deployment.',
  schema: schema.text,
  default: '${{ github.token }}',
  secret: true,
} as const satisfies Input;

/** The plan as a comment. */
export const planComment = {
  comment: {
    description:
      'Whether to write the plan as a comment, which later runs update: `auto` (on pull requests), `true` or `false`.',
    schema: schema.oneOf('auto', 'true', 'false'),
    default: 'auto',
  },
} as const satisfies InputTable;

/** Who may start what, where others than the repository's writers can. */
export const admission = {
  'allowed-associations': {
    description:
      "GitHub's author associations whose issues, comments, reviews and discussions may start the action; others are skipped. Events without an author association are always skipped.",
    schema: schema.associations,
    default: 'OWNER, MEMBER, COLLABORATOR',
  },
} as const satisfies InputTable;

/** The input with which code that is not merged may change production. */
export const allowProduction = { schema: schema.flag, default: 'false' } as const;

/** The mode, and the site file. */
export const planning = {
  mode: {
    description: '`apply`, or `plan`: show what would change, and write nothing.',
    schema: schema.oneOf('apply', 'plan'),
    default: 'apply',
  },
  config: {
    description:
      'A site file in the workspace, such as `.github/site.yml`. Of it, the action reads `environment:`; inputs override it.',
    schema: schema.text,
  },
} as const satisfies InputTable;

/** The mode and the key of an action that has `mode: explain`, which needs no key. */
export const explaining = {
  'api-key': {
    ...common['api-key'],
    description: `${common['api-key'].description} Not needed for \`mode: explain\`.`,
    unless: { mode: 'explain' },
  },
  mode: {
    ...planning.mode,
    description:
      '`apply`; `plan`: show what would change, and write nothing; or `explain`: describe what a run for this event would do and why, without a request to the service or to GitHub.',
    schema: schema.oneOf('apply', 'plan', 'explain'),
  },
} as const satisfies InputTable;

/** The conditions under which a plan is applied. */
export const gates = {
  'fail-on-drift': {
    description: 'With `mode: plan`: fail if anything would change.',
    schema: schema.flag,
    default: 'false',
  },
  'drift-issue': {
    description:
      'With `mode: plan`: report drift in one issue for each project, which later runs update, close and reopen, instead of failing. Needs `issues: write`. Everyone who can read the repository sees the names, never a value.',
    schema: schema.flag,
    default: 'false',
  },
  'expected-plan': {
    description:
      'Digest of a reviewed plan: apply only if the plan, including its values, is still the same or has no changes. Both runs need the same `env-ledger-key`, or else the same `api-key`.',
    schema: schema.digest,
  },
  'max-changes': {
    description:
      'Refuse a plan that changes more variables than this number, or than this share of the variables in the plan: `20`, `30%`.',
    schema: schema.share,
  },
} as const satisfies InputTable;
