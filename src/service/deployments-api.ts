import {
  type CreateDeployment,
  createDeployment,
  type Deployment,
  deployment,
} from '../contract/deployment.ts';
import { operations } from '../contract/operations.ts';
import type { Caller } from './call.ts';
import type { ServiceError } from './errors.ts';
import { pathOf } from './looks.ts';

/** Section "Deployments". */
export interface DeploymentsApi {
  /**
   * `POST /v1/projects/{id}/deployments`: repeated only if it carries an idempotency key.
   *
   * @param onLost is told of each try that may have arrived, and is made once more
   */
  createDeployment(
    projectId: string,
    body: CreateDeployment,
    onLost?: (error: ServiceError) => void,
  ): Promise<Deployment>;
}

/** The operations on a project's deployments. */
export function deploymentsApi({ call }: Caller): DeploymentsApi {
  return {
    createDeployment: (projectId, body, onLost) =>
      call({
        operation: operations.createDeployment,
        path: pathOf('v1', 'projects', projectId, 'deployments'),
        answer: deployment,
        send: { body, shape: createDeployment },
        onLost,
      }),
  };
}
