import type { OperationId } from '../description.ts';
import type { Handler } from '../operation.ts';
import type { World } from '../state/world.ts';
import { commentOperations } from './comments.ts';
import { commitOperations } from './commits.ts';
import { deploymentStatusOperations } from './deployment-statuses.ts';
import { deploymentOperations } from './deployments.ts';
import { pullOperations } from './pulls.ts';
import { userOperations } from './user.ts';

/** Every operation that is described, carried out on one world. */
export function allOperations(world: World): Record<OperationId, Handler> {
  return {
    ...commentOperations(world),
    ...commitOperations(world),
    ...pullOperations(world),
    ...deploymentOperations(world),
    ...deploymentStatusOperations(world),
    ...userOperations(world),
  };
}
