import type { Preflight, Recorded } from '../frame/action.ts';
import type { Step } from '../frame/step.ts';
import { pullRequestOf } from '../kernel/event/pull-request-source.ts';
import type { CommentContext } from './model/assemble.ts';
import { type Planner, planKey } from './model/marker.ts';
import { commentOnThread } from './run-comment.ts';

/** The step of an action that comments its plan at its end, as far as its comment goes. */
interface PlannerStep extends Pick<Step<Exclude<Planner, 'deploy'>>, 'context'> {
  inputs: {
    get(name: 'api-key' | 'comment' | 'github-token'): string | undefined;
  };
}

/** What is to be commented. */
export interface PlanComment {
  /** Which of the action's comments it is: one for each project. Undefined if an input that says it is wrong. */
  key: string | undefined;
  /** The ledger's own secret, if there is one. */
  ledgerKey: string | undefined;
  render: (context: CommentContext) => string;
  /** False: only an earlier comment is brought up to date. */
  mayCreate: boolean;
}

/** Comments on the run's pull request, if there is one and a comment is wanted. */
export async function commentPlan(
  action: Exclude<Planner, 'deploy'>,
  { inputs, context }: PlannerStep,
  { key, ledgerKey, ...content }: PlanComment,
  by: Preflight,
): Promise<Partial<Recorded>> {
  const source = pullRequestOf(context.event);
  if (source?.kind !== 'known' || key === undefined || inputs.get('comment') === 'false') return {};
  const { number } = source.pullRequest;
  const comment = { number, key: planKey(action, key), ...content };
  const access = {
    'api-key': inputs.get('api-key') ?? '',
    'env-ledger-key': ledgerKey,
    'github-token': inputs.get('github-token'),
  };
  return { commentUrl: await commentOnThread(context, access, comment, by) };
}
