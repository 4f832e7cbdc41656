import { limits } from '../contract/limits.ts';
import * as schema from '../input-schemas.ts';
import { type ActionDefinition, common, type ValuesOf } from '../inputs/input.ts';
import { turn } from '../messages/inputs.ts';

/** `2/5`: the second of five parts. */
const shard: schema.InputSchema<{ index: number; of: number }> = (text) => {
  const [, index = '', of = ''] = /^(\d{1,5})\s*\/\s*(\d{1,5})$/.exec(text) ?? [];
  const [part, parts] = [Number(index), Number(of)];
  if (part >= 1 && part <= parts) return { value: { index: part, of: parts } };
  return { fault: 'must be a part of some, such as 2/5: the second of five' };
};

/** The action `projects`. */
export const projects = {
  name: 'Site projects',
  description: 'Lists projects for a job matrix, or creates one and waits until it is ready.',
  inputs: {
    ...common,
    filter: {
      description: '`all`, `starred`, `created` or `shared`.',
      schema: schema.oneOf('all', 'starred', 'created', 'shared'),
      default: 'all',
    },
    'name-pattern': {
      description: 'A glob that the whole name must match, such as `shop-*`.',
      // Longer ones are no names.
      schema: schema.limited(256),
    },
    'on-empty': {
      description: 'When no project matches: `warn` or `fail`.',
      schema: schema.oneOf('warn', 'fail'),
      default: 'warn',
    },
    shard: {
      description: 'One of several equal parts: `2/5` is the second of five.',
      schema: shard,
    },
    create: {
      description:
        'Create a project instead of listing them. Runs of an issue, comment, review, discussion or pull request do it only for an `OWNER`, `MEMBER` or `COLLABORATOR`.',
      schema: schema.flag,
      default: 'false',
    },
    'initial-prompt': {
      description: 'With `create`: its first message, of at most 10,000 characters.',
      schema: schema.limited(limits.initialPrompt.max),
      verbatim: true,
    },
    ...turn,
  },
} as const satisfies ActionDefinition;

/** The values of the inputs of `projects`. */
export type ProjectsValues = ValuesOf<typeof projects.inputs>;
