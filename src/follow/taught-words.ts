import type { Problem } from '../kernel/problem.ts';
import { foldStatus } from './model/status.ts';

/** The step of an action that takes status words. */
interface TaughtStep {
  inputs: {
    get(name: 'success-states' | 'failure-states'): readonly string[] | undefined;
  };
}

/** What is wrong with the words that a workflow adds to the tables. */
export function taughtProblems({ inputs }: TaughtStep): Problem[] {
  const successes = new Set(inputs.get('success-states')?.map(foldStatus));
  const both = inputs.get('failure-states')?.find((word) => successes.has(foldStatus(word)));
  if (both === undefined) return [];
  const message = `"${both}" is in success-states too`;
  return [{ input: 'failure-states', code: 'SD1108', message }];
}
