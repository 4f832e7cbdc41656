import type { Outcome } from '../kernel/outcome.ts';
import type { StepOutcome } from '../platform.ts';

/** The exit status of a run that fails, by its outcome, if it is not 1. */
const ofOutcome: Readonly<Partial<Record<Outcome, number>>> = {
  conflict: 3,
  'timed-out': 4,
  cancelled: 130,
};

/** What the exit status means, as `--help` tells it. */
export const statuses: readonly (readonly [status: number, meaning: string])[] = [
  [0, 'passed, skipped or planned'],
  [1, 'failed'],
  [2, 'the inputs are wrong, and nothing was sent'],
  [3, 'conflict: variables were changed outside site-deploy'],
  [4, 'timed out'],
  [130, 'canceled'],
];

/** The exit status for inputs that are wrong. */
const wrongInputs = 2;

/** The exit status of a run. */
export function exitStatus({ outcome, fails, isWrong }: StepOutcome): number {
  if (!fails) return 0;
  return isWrong ? wrongInputs : (ofOutcome[outcome] ?? 1);
}
