import type { Values } from '../inputs.ts';
import type { Problem } from '../kernel/problem.ts';

/** The inputs that rest on our own records. */
type Resting = 'require-verified' | 'on-failed-checks' | 'deploy' | 'commit-sha';

/** The word of an input that rests on them, where not all of its words do; with a space behind it. */
export const restingWord = (input: Resting): string =>
  input === 'deploy' ? 'if-needed ' : input === 'commit-sha' ? 'PREVIOUS ' : '';

/** What is wrong with an input that rests on our own records where none are kept. */
export function needsRecords(
  input: Resting,
  { 'github-deployment': isRecorded }: Pick<Values<'deploy'>, 'github-deployment'>,
): Problem[] {
  if (isRecorded) return [];
  const message = 'rests on our deployment records: let github-deployment be true';
  return [{ input, code: 'SD1101', message: `${restingWord(input)}${message}` }];
}
