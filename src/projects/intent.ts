import type { CreateProject, ProjectFilter } from '../contract/project.ts';
import type { Inputs } from '../inputs/input.ts';
import type { Problem } from '../kernel/diagnostic.ts';
import { turnOptions } from '../messages/intent.ts';
import type { ProjectsValues } from './inputs.ts';

/** One of several equal parts: `2/5` is the second of five. */
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
  /** True: fail if no project matches, rather than warn. An empty shard of matching projects is not a failure. */
  failOnEmpty?: boolean;
}

/** A project to create, with the body of the request. */
export interface CreateIntent {
  kind: 'create';
  body: Omit<CreateProject, 'idempotencyKey'>;
}

/** What the action does: list projects, or create one. */
export type ProjectsIntent = ListIntent | CreateIntent;

const onlyWithCreate = ['initial-prompt', 'model', 'effort', 'skill-names'] as const;

/** Inputs that have no effect with the others. */
export function projectsProblems(inputs: Inputs<ProjectsValues>): Problem[] {
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
    .map(([input]) => ({ input, code: 'SD1101', message: 'has no effect with create: true' }));
}

/** The intent of valid inputs. */
export function projectsIntent(values: ProjectsValues): ProjectsIntent {
  const { create, 'initial-prompt': initialPrompt, filter, shard } = values;
  if (create) {
    return { kind: 'create', body: { initialPrompt, ...turnOptions(values) } };
  }
  const failOnEmpty = values['on-empty'] === 'fail';
  return { kind: 'list', filter, pattern: values['name-pattern'], shard, failOnEmpty };
}
