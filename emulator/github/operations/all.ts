import type { OperationId } from '../description.ts';
import type { Handler } from '../operation.ts';
import type { PullRequestChanges } from '../pull-requests.ts';
import type { World } from '../state/world.ts';
import { actionsOperations } from './actions.ts';
import { commentOperations } from './comments.ts';
import { commitOperations } from './commits.ts';
import { deploymentStatusOperations } from './deployment-statuses.ts';
import { deploymentOperations } from './deployments.ts';
import { issueOperations } from './issues.ts';
import { pullOperations } from './pulls.ts';
import { userOperations } from './user.ts';

/** Every operation that is described, carried out on one world. */
export function allOperations(
  world: World,
  changes: PullRequestChanges,
): Record<OperationId, Handler> {
  return {
    ...actionsOperations(world),
    ...commentOperations(world),
    ...commitOperations(world),
    ...issueOperations(world),
    ...pullOperations(world, changes),
    ...deploymentOperations(world),
    ...deploymentStatusOperations(world),
    ...userOperations(world),
  };
}
