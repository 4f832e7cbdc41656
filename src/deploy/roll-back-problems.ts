import type { Commit } from '../contract/commit.ts';
import type { Step } from '../frame/step.ts';
import type { Problem } from '../kernel/problem.ts';
import { needsRecords } from './records-needed.ts';

const names = ['on-failed-checks', 'deploy', 'github-deployment', 'wait'] as const;

const namesOfChecks = ['verify-url', 'verify-contains', 'verify-timeout', 'config'] as const;

/** What a run can be undone by. */
interface Facts {
  /** True if anything of the site is checked. */
  isChecked: boolean;
  /** Undefined if it is not known. */
  commit: Commit | undefined;
}

/** What is wrong with `on-failed-checks: roll-back`, which rests on checks, on records, and on a commit in them. */
export function rollBackProblems(
  { inputs }: Pick<Step<'deploy'>, 'inputs'>,
  { isChecked, commit }: Facts,
): Problem[] {
  const input = 'on-failed-checks';
  // A check with a mistake was given nevertheless.
  const mayBeChecked = isChecked || inputs.with(namesOfChecks, () => true) === undefined;
  const needs = (message: string): Problem[] => [{ input, code: 'SD1101', message }];
  return (
    inputs.with(names, (values) => {
      if (values[input] !== 'roll-back' || values.deploy === false) return [];
      return [
        ...needsRecords(input, values),
        ...(mayBeChecked
          ? []
          : needs('roll-back needs a check: give verify-url, or checks: in config')),
        ...(values.wait === 'none' ? needs('roll-back needs wait to be other than none') : []),
        ...(commit === 'HEAD'
          ? needs(
              'roll-back needs a commit that our records know, and commit-sha is HEAD: give 40 hex digits',
            )
          : []),
      ];
    }) ?? []
  );
}
