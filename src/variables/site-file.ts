import { z } from 'zod';
import { type VariableKind, variableKind } from '../contract/environment.ts';
import { limits, surelyTooLong } from '../contract/limits.ts';
import { type Entry, mapping } from '../site-file/entry.ts';
import type { Position } from '../site-file/position.ts';
import { nameFaults, namePattern } from './model/variable-name.ts';

const tooLong = (max: number) => `it has more than ${max} characters, the limit of the service`;

const wrongName = {
  characters: 'this is not a valid variable name: it contains white space or "="',
  length: tooLong(limits.variableName.max),
};

/** The name of a variable. The check is custom, so the rules are added for the JSON Schema. */
export const variableName = z
  .string()
  .superRefine((name, { addIssue }) => {
    for (const fault of nameFaults(name)) addIssue(wrongName[fault]);
  })
  .meta({ pattern: namePattern.source, maxLength: limits.variableName.max });

const from = z
  .string()
  .regex(/^[A-Za-z_][\w.-]{0,127}$/, {
    error: ({ input }) =>
      /^\$\{\{/.test(String(input))
        ? `from must be a name: \${{ … }} works only in workflow files. Set a variable of the step's env: to it, and write that variable's name here`
        : "from must be the name of a variable in the step's environment (not shown because it may be a value)",
  })
  .describe(
    "The variable in the step's environment that has the value; its name can't begin with INPUT_, STATE_, ACTIONS_, GITHUB_ or RUNNER_. Default: the variable with the same name.",
  );

const value = z
  .string()
  .regex(/^[^\0]*$/, 'value must not contain a NUL character')
  .refine(
    (text) => !surelyTooLong(text, limits.variableValue.max),
    tooLong(limits.variableValue.max),
  )
  .meta({ maxLength: limits.variableValue.max })
  .describe("The value, in quotes. Only for kind: plain; secrets don't belong in this file.");

const targets = z
  .array(z.enum(['preview', 'production']))
  .min(1)
  .describe('The runtimes that the variable applies to. Default: the input env-targets.');

/** Whether checks across keys can run: they do even if another key is wrong. */
const when = ({ value: given }: z.core.ParsePayload) => typeof given === 'object' && given !== null;

/** A variable's source, kind and targets (section "Environment variables"). */
export const variable = mapping(
  {
    from: from.exactOptional(),
    value: value.exactOptional(),
    kind: variableKind
      .describe('Whether the variable is a secret. Default: secret.')
      .exactOptional(),
    targets: targets.exactOptional(),
    remove: z
      .literal(true, 'remove must be true or omitted')
      .describe('Deletes the variable if it exists. No other key is allowed with it.')
      .exactOptional(),
  },
  'such as { from: NAME }',
)
  .refine((given) => given.from === undefined || given.value === undefined, {
    error: 'give from or value, not both',
    path: ['value'],
    when,
  })
  .refine((given) => given.remove === undefined || Object.keys(given).length === 1, {
    error: 'remove: true must be the only key of its variable',
    path: ['remove'],
    when,
  })
  .refine((given) => given.value === undefined || given.kind === 'plain', {
    error:
      "value requires kind: plain; for a secret, use from: and the name of a variable in the step's environment",
    path: ['value'],
    when,
  })
  .meta({
    description:
      "A variable. Its value comes from the step's environment, or is given here if it is plain.",
    dependencies: {
      value: {
        required: ['kind'],
        properties: { kind: { const: 'plain' } },
        not: { required: ['from'] },
      },
      remove: { maxProperties: 1 },
    },
  });

/** A variable that the site file declares, at the position of its name. */
export type SiteVariable = Position & {
  name: string;
  /** Absent: the default. */
  targets?: ('preview' | 'production')[] | undefined;
} & (
    | {
        /** The variable in the step's environment that has the value. */
        from: string;
        kind: VariableKind;
      }
    | { value: string; kind: 'plain' }
  );

/** A variable that the site file deletes, at the position of its name. */
export type SiteRemoval = Position & { name: string };

/** The variable that an entry declares; none if the entry is invalid or deletes it. */
export function siteVariable({
  name,
  value,
  position,
}: Entry<z.output<typeof variable>>): SiteVariable[] {
  if (value === undefined || value.remove === true) return [];
  const { targets, kind = 'secret' } = value;
  const common = { name, targets, ...position };
  if (value.value !== undefined) return [{ ...common, value: value.value, kind: 'plain' }];
  return [{ ...common, from: value.from ?? name, kind }];
}

/** The variable that an entry deletes, if any. */
export const siteRemoval = ({
  name,
  value,
  position,
}: Entry<z.output<typeof variable>>): SiteRemoval[] =>
  value?.remove === true ? [{ name, ...position }] : [];
