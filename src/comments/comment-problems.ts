import type { Problem } from '../kernel/diagnostic.ts';
import type { Step } from '../step/step.ts';

interface PlannerStep extends Pick<Step<'domains' | 'env-sync'>, 'context'> {
  inputs: {
    get(name: 'comment' | 'mode'): string | undefined;
    get(name: 'drift-issue' | 'fail-on-drift'): boolean | undefined;
  };
}

/** What is wrong with the inputs `comment` and `drift-issue`. */
export function commentProblems({ inputs, context }: PlannerStep): Problem[] {
  const problems: Problem[] = [];
  if (inputs.get('comment') === 'true' && context.event.pullRequest?.kind !== 'known') {
    const message = 'true needs a pull request: use auto';
    problems.push({ input: 'comment', code: 'SD1103', message });
  }
  const isFailing = inputs.get('mode') === 'apply' || inputs.get('fail-on-drift') === true;
  if (inputs.get('drift-issue') === true && isFailing) {
    const message = 'needs mode: plan, without fail-on-drift';
    problems.push({ input: 'drift-issue', code: 'SD1101', message });
  }
  return problems;
}
