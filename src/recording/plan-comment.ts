import type { Preflight, Recorded } from '../frame/action.ts';
import type { Step } from '../frame/step.ts';
import { pullRequestOf } from '../kernel/event.ts';
import type { CommentContext } from './model/assemble.ts';
import { type Planner, planKey } from './model/marker.ts';
import { commentOnThread } from './run-comment.ts';

interface PlannerStep extends Pick<Step<Exclude<Planner, 'deploy'>>, 'context'> {
  inputs: {
    get(name: 'api-key' | 'comment' | 'github-token'): string | undefined;
  };
}

export interface PlanComment {
  /** One comment for each key; undefined if an input of the key is wrong. */
  key: string | undefined;
  /** The input `env-ledger-key`. */
  ledgerKey: string | undefined;
  render: (context: CommentContext) => string;
  /** False: only an existing comment is edited. */
  mayCreate: boolean;
}

/** Comments on the run's pull request, unless there is none or `comment` is false. */
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
