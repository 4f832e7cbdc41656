import { type Outcome, outcomes } from '../kernel/outcome.ts';
import { formatDuration } from '../kernel/text/duration.ts';
import { type SafeText, safe } from '../kernel/text/safe.ts';

/** The sign of an outcome. */
export const iconOf = (outcome: Outcome): string => outcomes[outcome].icon;

/** What a run took: milliseconds, and requests that the service was sent. */
export interface RunCost {
  durationMs: number;
  requests: number;
  /** How many attempts found no connection, so that nothing was sent; absent: none. */
  unconnected?: number;
}

/** An outcome in words. */
export const nameOf = (outcome: Outcome): string => outcomes[outcome].name;

const counted = (count: number, what: string): string[] =>
  count === 0 ? [] : [`${count} ${what}${count === 1 ? '' : 's'}`];

/** How many requests the service was sent, and how many attempts reached nobody, in words; nothing of zero. */
export function describeRequests({
  requests,
  unconnected = 0,
}: Pick<RunCost, 'requests' | 'unconnected'>): string[] {
  const attempts = counted(unconnected, 'attempt').map((text) => `${text} without a connection`);
  const all = [...counted(requests, 'request'), ...attempts].join(', ');
  return all === '' ? [] : [all];
}

/** An outcome as the title of a summary. */
export const titleOf = (outcome: Outcome): string => `${iconOf(outcome)} ${nameOf(outcome)}`;

/** What a run took, at least what can be shown; undefined if it asked nothing, and so took no time worth telling. */
export function showTime({ durationMs, requests, unconnected = 0 }: RunCost): SafeText | undefined {
  return requests + unconnected === 0 ? undefined : formatDuration(Math.max(100, durationMs));
}

/** The last line of a log: how it ended, what there is to say (undefined: nothing), and what it took; nothing of zero. */
export function closeWith(
  title: string,
  cost: RunCost,
  ...said: readonly (string | undefined)[]
): string {
  const facts = said.filter((fact) => fact !== undefined);
  const time = showTime(cost);
  const took = time === undefined ? title : `${title} in ${time}`;
  return [took, ...facts, ...describeRequests(cost)].join(' · ');
}

/** A number of things in words. */
export const countOf = (count: number, one: SafeText): SafeText =>
  count === 1 ? safe`1 ${one}` : safe`${count} ${one}s`;
