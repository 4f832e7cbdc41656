import type { Problem } from '../kernel/diagnostic.ts';
import type { Step } from '../step/step.ts';

interface PlannerStep extends Pick<Step<'domains' | 'env-sync'>, 'context'> {
  inputs: { get(name: 'comment'): string | undefined };
}

/** What is wrong with the input `comment`. */
export function commentProblems({ inputs, context }: PlannerStep): Problem[] {
  if (inputs.get('comment') !== 'true') return [];
  if (context.event.pullRequest?.kind === 'known') return [];
  return [{ input: 'comment', code: 'SD1103', message: 'true needs a pull request: use auto' }];
}
