import type { Values } from '../inputs.ts';
import type { Problem } from '../kernel/problem.ts';

/** What is wrong with an input that rests on our own records where none are kept. */
export function needsRecords(
  input: 'require-verified' | 'on-failed-checks' | 'deploy' | 'commit-sha',
  { 'github-deployment': isRecorded }: Pick<Values<'deploy'>, 'github-deployment'>,
): Problem[] {
  if (isRecorded) return [];
  const message = 'rests on our deployment records: let github-deployment be true';
  const what = { deploy: 'if-needed ', 'commit-sha': 'PREVIOUS ' };
  const word = input === 'deploy' || input === 'commit-sha' ? what[input] : '';
  return [{ input, code: 'SD1101', message: `${word}${message}` }];
}
