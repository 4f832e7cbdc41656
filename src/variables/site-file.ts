import { z } from 'zod';
import { type VariableKind, variableKind } from '../contract/environment.ts';
import { limits, surelyTooLong } from '../contract/limits.ts';
import type { Entry } from '../site-file/entry.ts';
import { mapping } from '../site-file/mapping.ts';
import type { Position } from '../site-file/position.ts';

/** A text of at most `max` characters; the check is ours, so the JSON Schema must be told of it. */
const upTo = (max: number, schema: z.ZodString) =>
  schema
    .refine(
      (text) => !surelyTooLong(text, max),
      `it has more than ${max} characters, the most that the service takes`,
    )
    .meta({ maxLength: max });

/** The name of a variable (section "Limits"); white space and `=` have no place in one. */
export const variableName = upTo(
  limits.variableName.max,
  z
    .string()
    .regex(/^[^\s=\p{Cc}\p{Cf}]+$/u, 'this is no name of a variable: it holds white space or "="'),
);

const from = z
  .string()
  .regex(
    /^[A-Za-z_][\w.-]{0,127}$/,
    "from must be the name of a variable of the step's environment (it is not shown, in case it is a value)",
  )
  .describe(
    "The variable of the step's environment that holds the value, not one that begins with INPUT_, STATE_, ACTIONS_, GITHUB_ or RUNNER_. Left out: the one of the same name.",
  );

const value = upTo(
  limits.variableValue.max,
  z.string().regex(/^[^\0]*$/, 'value must not hold a NUL character'),
).describe(
  'The value itself, in quotes. Only for kind: plain; a secret never stands in this file.',
);

const targets = z
  .array(z.enum(['preview', 'production']))
  .min(1)
  .describe('The runtimes that it applies to. Left out: what the input env-targets says.');

/** Whether checks of several keys can look at it: they run also when another key is wrong. */
const when = ({ value: given }: z.core.ParsePayload) => typeof given === 'object' && given !== null;

/** A variable: where its value comes from, and what it is for (section "Environment variables"). */
export const variable = mapping(
  {
    from: from.exactOptional(),
    value: value.exactOptional(),
    kind: variableKind
      .describe('Whether it is a secret. Left out: what the input env-kind says.')
      .exactOptional(),
    targets: targets.exactOptional(),
    remove: z
      .literal(true, 'remove must be true, or left out')
      .describe('The variable is deleted, if it is there. Nothing else stands beside it.')
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
    error: 'remove: true stands alone: a variable is declared or removed, not both',
    path: ['remove'],
    when,
  })
  .refine((given) => given.value === undefined || given.kind === 'plain', {
    error:
      "a value may stand in this file only with kind: plain; give a secret with from: and the name of a variable of the step's environment",
    path: ['value'],
    when,
  })
  .meta({
    description:
      "A variable. Its value comes from the step's environment, or stands here if it is plain.",
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
  /** The runtimes that it applies to; absent: not said. */
  targets?: ('preview' | 'production')[];
} & (
    | {
        /** The variable of the step's environment that holds the value. */
        from: string;
        /** Absent: not said. */
        kind?: VariableKind;
      }
    | { value: string; kind: 'plain' }
  );

/** A variable that the site file wants deleted, at the position of its name. */
export type SiteRemoval = Position & { name: string };

/** A variable as its entry declares it; none if it is wrong, or deleted. */
export function siteVariable({
  name,
  value,
  place,
}: Entry<z.output<typeof variable>>): SiteVariable[] {
  if (value === undefined || value.remove === true) return [];
  const { targets, kind } = value;
  const common = { name, ...(targets !== undefined && { targets }), ...place };
  if (value.value !== undefined) return [{ ...common, value: value.value, kind: 'plain' }];
  return [{ ...common, from: value.from ?? name, ...(kind !== undefined && { kind }) }];
}

/** The variable that an entry deletes; none if it declares one. */
export const siteRemoval = ({
  name,
  value,
  place,
}: Entry<z.output<typeof variable>>): SiteRemoval[] =>
  value?.remove === true ? [{ name, ...place }] : [];
