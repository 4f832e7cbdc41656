import type { Problem } from '../kernel/diagnostic.ts';
import type { Step } from '../step/step.ts';

interface PlannerStep extends Pick<Step<'domains' | 'env-sync'>, 'context'> {
  inputs: {
    get(name: 'comment' | 'mode'): string | undefined;
    get(name: 'drift-issue' | 'fail-on-drift'): boolean | undefined;
  };
}

/** What is wrong with the input `comment`. */
export function commentProblems({ inputs, context }: PlannerStep): Problem[] {
  if (inputs.get('comment') !== 'true') return [];
  if (context.event.pullRequest?.kind === 'known') return [];
  return [{ input: 'comment', code: 'SD1103', message: 'true needs a pull request: use auto' }];
}

/** What is wrong with the input `drift-issue` beside others. */
export function driftIssueProblems({ inputs }: PlannerStep): Problem[] {
  if (inputs.get('drift-issue') !== true) return [];
  const wrong = (message: string): Problem => ({ input: 'drift-issue', code: 'SD1101', message });
  const problems: Problem[] = [];
  if (inputs.get('mode') === 'apply') problems.push(wrong('needs mode: plan'));
  if (inputs.get('fail-on-drift') === true) problems.push(wrong('needs fail-on-drift: false'));
  return problems;
}
