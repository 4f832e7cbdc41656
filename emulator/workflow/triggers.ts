import type { EventsConfig } from '@actions/workflow-parser/model/workflow-template';
import { passes } from './patterns.ts';

/** What happened, as far as `on:` asks about it. */
export type Occurrence = {
  name: string;
  /** The payload's `action`. */
  action?: string | undefined;
  /** The branch or tag that was pushed, or the base of the pull request: `refs/heads/main`. */
  ref: string;
  /** The files that changed; undefined where GitHub asks for none. */
  files?: readonly string[] | undefined;
};

type Filters = Partial<
  Record<
    'branches' | 'branches-ignore' | 'tags' | 'tags-ignore' | 'paths' | 'paths-ignore' | 'types',
    string[]
  >
>;

/** The actions of an event that start a workflow which names none. */
const usualTypes: Readonly<Record<string, readonly string[]>> = {
  pull_request: ['opened', 'synchronize', 'reopened'],
  pull_request_target: ['opened', 'synchronize', 'reopened'],
};

/**
 * Why an event does not start a workflow; undefined if it does.
 * @param events the file's `on:`
 */
export function reasonAgainst(events: EventsConfig, what: Occurrence): string | undefined {
  const filters = events[what.name] as Filters | undefined;
  if (filters === undefined)
    return `on: has no ${what.name}; it has ${Object.keys(events).join(', ')}`;
  const types = filters.types ?? usualTypes[what.name];
  if (what.action !== undefined && types?.includes(what.action) === false) {
    return `on: ${what.name} has no type ${what.action}; it has ${types.join(', ')}`;
  }
  return refReason(filters, what) ?? pathReason(filters, what);
}

function refReason(filters: Filters, { name, ref }: Occurrence): string | undefined {
  const [, kind, short = ref] = /^refs\/(heads|tags)\/(.*)$/s.exec(ref) ?? [];
  const isTag = kind === 'tags';
  const [wanted, ignored] = isTag
    ? (['tags', 'tags-ignore'] as const)
    : (['branches', 'branches-ignore'] as const);
  const [others, othersIgnored] = isTag
    ? (['branches', 'branches-ignore'] as const)
    : (['tags', 'tags-ignore'] as const);
  const isNamed = filters[wanted] !== undefined || filters[ignored] !== undefined;
  const isOther = filters[others] !== undefined || filters[othersIgnored] !== undefined;
  const where = isTag ? 'tag' : 'branch';
  if (!isNamed) {
    return isOther ? `on: ${name} has ${others}: only, and this is a ${where}` : undefined;
  }
  const isIn =
    filters[wanted] === undefined
      ? !passes(short, filters[ignored] ?? [])
      : passes(short, filters[wanted]);
  return isIn ? undefined : `on: ${name} excludes the ${where} ${short}`;
}

function pathReason(filters: Filters, { name, ref, files }: Occurrence): string | undefined {
  const { paths, 'paths-ignore': ignored } = filters;
  if (files === undefined || ref.startsWith('refs/tags/')) return undefined;
  const isIn =
    (paths === undefined || files.some((file) => passes(file, paths))) &&
    (ignored === undefined || files.some((file) => !passes(file, ignored)));
  return isIn ? undefined : `on: ${name} excludes the files that changed`;
}

/** True if `on:` asks which files changed. */
export function asksForFiles(events: EventsConfig, name: string): boolean {
  const filters = events[name] as Filters | undefined;
  return filters?.paths !== undefined || filters?.['paths-ignore'] !== undefined;
}
