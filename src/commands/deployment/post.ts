import type { Deployment } from '../../contract/deployment.ts';
import type { ServiceClient } from '../../service/client.ts';
import { ServiceError } from '../../service/errors.ts';
import type { Host } from '../host.ts';

/** A deployment to ask for. */
export interface PostRequest {
  projectId: string;
  /** 40 hex digits, or empty for the service's own HEAD. */
  commit: string;
  /** Makes the idempotency key of one operation on one target. */
  keyFor: (operation: string, target: string) => string;
}

/**
 * Posts the deployment. A 409 after a try whose answer was lost means that the key was seen before and the
 * id is gone with the answer: a second deployment of the same commit is harmless, and can be followed.
 */
export async function postDeployment(
  client: ServiceClient,
  host: Host,
  { projectId, commit, keyFor }: PostRequest,
): Promise<Deployment> {
  const version = commit === '' ? {} : { versionId: commit };
  const target = `${projectId} ${commit}`;
  try {
    const idempotencyKey = keyFor('deploy', target);
    return await client.createDeployment(projectId, { ...version, idempotencyKey });
  } catch (error) {
    const isOurs =
      error instanceof ServiceError && error.status === 409 && error.details.earlier !== undefined;
    if (!isOurs) throw error;
    const text =
      'The answer to the deployment request was lost, and the service refuses its key the second time: posting it once more with another key, to have an id to follow.';
    host.report({ type: 'note', text });
    const idempotencyKey = keyFor('deploy again', target);
    const again = client.createDeployment(projectId, { ...version, idempotencyKey });
    return await again.catch((second: unknown) => {
      if (!(second instanceof ServiceError)) throw second;
      throw new ServiceError({ ...second.details, earlier: error });
    });
  }
}
