import type { Job as RunnerJob } from '../runner/job.ts';
import type { StepResult } from '../runner/step-result.ts';
import { find, type Scope, textOf, Unknown } from './expressions.ts';
import type { Play, StepConclusion } from './play-options.ts';
import type { WorkflowStep } from './read-workflow.ts';

/** Who reports: the job whose step it is. */
type Reporter = { play: Play; name: string; job: RunnerJob };

/** What GitHub calls a step: its name, or else what it runs. */
export function stepTitle({ token, uses, run }: WorkflowStep, scope: Scope): string {
  const name = find(token, 'name');
  if (name === undefined) return `Run ${uses ?? String(run).trim().split('\n', 1)[0]}`;
  try {
    return textOf(name, scope);
  } catch {
    // What can't be evaluated is shown as it is.
    return String(name);
  }
}

/** Reports a step of a job around what plays it. */
export async function reportStep<End extends { conclusion: StepConclusion }>(
  { play: { report }, name: job, job: { masker } }: Reporter,
  title: string,
  work: () => Promise<End>,
): Promise<End> {
  report?.({ type: 'step', job, title: masker.mask(title) });
  const end = await work();
  const isLeft = 'outputs' in end && end.outputs instanceof Unknown;
  report?.({ type: 'step-end', job, conclusion: isLeft ? 'not-played' : end.conclusion });
  return end;
}

/** Reports what a step, or one of an action that it uses, left for people to see. */
export function reportShown(
  { play: { report }, name: job }: Reporter,
  { annotations = [], summary = '' }: Partial<Pick<StepResult, 'annotations' | 'summary'>>,
): void {
  report?.({ type: 'shown', job, annotations, summary });
}
