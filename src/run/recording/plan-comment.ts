import type { CommentContext } from '../../core/comment/body.ts';
import { pullRequestOf } from '../../core/event/pull-request.ts';
import type { Problem } from '../../core/problem.ts';
import type { Recorded, WayIn } from '../action.ts';
import type { Step } from '../step.ts';
import { commentOnThread } from './run-comment.ts';

/** The actions that comment their plan at their end. */
type Planner = 'domains' | 'env-sync';

/** The step of one, as far as its comment goes. */
interface PlannerStep extends Pick<Step<Planner>, 'context'> {
  inputs: {
    get(name: 'api-key' | 'comment' | 'env-ledger-key' | 'github-token'): string | undefined;
  };
}

/** What is to be commented. */
export interface PlanComment {
  /** Which of the action's comments it is: one for each project. Undefined if an input that says it is wrong. */
  key: string | undefined;
  render: (context: CommentContext) => string;
  /** False: only an earlier comment is brought up to date. */
  mayCreate: boolean;
}

/**
 * The key of a plan's comment: no input can hold what parts it, so that no other comment has it, whatever its
 * `comment-key`.
 */
export const planKey = (action: Planner | 'deploy', key: string): string => `${action}\0${key}`;

/** What is wrong with `comment`. */
export function commentProblems({ inputs, context }: PlannerStep): Problem[] {
  if (inputs.get('comment') !== 'true') return [];
  if (pullRequestOf(context.event)?.kind === 'known') return [];
  return [{ input: 'comment', code: 'SD1103', message: 'true needs a pull request: use auto' }];
}

/** Comments on the run's pull request, if there is one and a comment is wanted. */
export async function commentPlan(
  action: Planner,
  { inputs, context }: PlannerStep,
  { key, ...content }: PlanComment,
  by: WayIn,
): Promise<Partial<Recorded>> {
  const source = pullRequestOf(context.event);
  if (source?.kind !== 'known' || key === undefined || inputs.get('comment') === 'false') return {};
  const { number } = source.pullRequest;
  const comment = { number, key: planKey(action, key), ...content };
  const access = {
    'api-key': inputs.get('api-key') ?? '',
    'env-ledger-key': inputs.get('env-ledger-key'),
    'github-token': inputs.get('github-token'),
  };
  return { commentUrl: await commentOnThread(context, access, comment, by) };
}
