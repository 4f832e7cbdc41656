import type { Diagnostic } from '../kernel/diagnostic.ts';
import { type Outcome, outcomes } from '../kernel/outcome.ts';
import { formatDuration } from '../kernel/text/format.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';

/** What a run is about, as shown to users. It can be saved as JSON. */
export interface Subject {
  /** `Preview of #7`, `Production`, or the name of the environment. */
  name: SafeText;
  /** Distinguishes it from others of the same pull request: the beginning of the project's id. */
  mark?: SafeText | undefined;
  /** What the page of a commit begins with, such as `https://github.com/owner/name/commit/`. */
  commitsUrl?: string;
}

/** The icon of an outcome. */
export const iconOf = (outcome: Outcome): string => outcomes[outcome].icon;

/** The duration of a run, and the number of requests to the service. */
export interface RunCost {
  durationMs: number;
  requests: number;
  /** How many attempts found no connection, so that nothing was sent; absent: none. */
  unconnected?: number;
}

/** The fields of every action's report. */
export interface RunReport extends RunCost {
  outcome: Outcome;
  /** What went wrong and what to do, in one line. */
  error?: Diagnostic;
  /** The page about error codes, for links to it; absent if its address is not known. */
  helpUrl?: string | undefined;
}

/** The name of an outcome, as a title has it. */
export const nameOf = (outcome: Outcome): SafeText => outcomes[outcome].name;

/** The same within a text. */
export const nameInText = (outcome: Outcome): SafeText => unsafeText(nameOf(outcome).toLowerCase());

/** The number of requests as a fact of the summary; nothing if there were none. */
export function requestsFact({
  requests,
  unconnected = 0,
}: Pick<RunCost, 'requests' | 'unconnected'>): string[] {
  if (requests + unconnected === 0) return [];
  const attempts = safe`, ${countOf(unconnected, safe`attempt`)} without a connection`;
  return [`Requests to the service: ${requests}${unconnected === 0 ? '' : attempts}`];
}

/** An outcome with its icon, where nothing else is known of the run. */
export const titleOf = (outcome: Outcome): string => `${iconOf(outcome)} ${nameOf(outcome)}`;

/** A run's duration, at least 0.1 s; undefined if nothing was requested. */
export function showTime({ durationMs, requests, unconnected = 0 }: RunCost): SafeText | undefined {
  return requests + unconnected === 0 ? undefined : formatDuration(Math.max(100, durationMs));
}

/** The last line of a log: the outcome, the duration and facts. */
export function closeWith(
  title: string,
  cost: RunCost,
  ...facts: readonly (string | undefined)[]
): string {
  const known = facts.filter((fact) => fact !== undefined);
  const time = showTime(cost);
  const took = time === undefined ? title : `${title} in ${time}`;
  return [took, ...known].join(' · ');
}

/** A count and its noun, in the plural unless it is 1. */
export const countOf = (count: number, one: SafeText): SafeText =>
  count === 1 ? safe`1 ${one}` : safe`${count} ${one}s`;
