import type { CreateProject, ProjectFilter } from '../contract/project.ts';
import type { Inputs } from '../inputs/input.ts';
import type { Values } from '../inputs.ts';
import type { Problem } from '../kernel/problem.ts';
import { turnOptions } from '../messages/intent.ts';

/** One of some even parts: `2/5` is the second of five. */
export interface Shard {
  index: number;
  of: number;
}

/** A list of projects, for the matrix of a job. */
export interface ListIntent {
  kind: 'list';
  filter: ProjectFilter;
  /** A glob; undefined: every name. */
  pattern: string | undefined;
  /** Undefined: all. */
  shard: Shard | undefined;
  /** True: fail where no project matches, rather than warn. An empty part of some that do is no fault. */
  failOnEmpty?: boolean;
}

/** A project to create. */
export interface CreateIntent {
  kind: 'create';
  body: Omit<CreateProject, 'idempotencyKey'>;
}

/** What the action `projects` is to do. */
export type ProjectsIntent = ListIntent | CreateIntent;

const onlyWithCreate = ['initial-prompt', 'model', 'effort', 'skill-names'] as const;

/** Inputs that do nothing beside the others. */
export function projectsProblems(inputs: Inputs<Values<'projects'>>): Problem[] {
  if (inputs.get('create') !== true) {
    const isGiven = (name: (typeof onlyWithCreate)[number]) => (inputs.get(name)?.length ?? 0) > 0;
    return onlyWithCreate
      .filter(isGiven)
      .map((input) => ({ input, code: 'SD1101', message: 'needs create: true' }));
  }
  const narrowing = {
    filter: inputs.with(['filter'], ({ filter }) => filter !== 'all'),
    'name-pattern': inputs.get('name-pattern') !== undefined,
    'on-empty': inputs.get('on-empty') === 'fail',
    shard: inputs.get('shard') !== undefined,
  };
  return Object.entries(narrowing)
    .filter(([, isGiven]) => isGiven)
    .map(([input]) => ({
      input,
      code: 'SD1101',
      message: 'is about a list, and create: true makes none',
    }));
}

/** What the inputs want, without what is not given. */
export function projectsIntent(values: Values<'projects'>): ProjectsIntent {
  const { create, 'initial-prompt': initialPrompt, filter, shard } = values;
  if (create) {
    const prompt = initialPrompt === undefined ? {} : { initialPrompt };
    return { kind: 'create', body: { ...prompt, ...turnOptions(values) } };
  }
  const failOnEmpty = values['on-empty'] === 'fail';
  return { kind: 'list', filter, pattern: values['name-pattern'], shard, failOnEmpty };
}
