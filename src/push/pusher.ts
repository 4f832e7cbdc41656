import type { Host } from '../frame/step.ts';
import type { PushResult } from './model/push-result.ts';

/** Pushes a run's commit to its project's repository. */
export interface Pusher {
  /** The target branch. */
  branch: string;
  /**
   * Pushes the commit, unless the branch already contains it.
   *
   * @param isUntouched whether the service shows that the project contains only its template
   * @throws a `GitFailure`, or the signal's reason
   */
  push(host: Host, projectId: string, isUntouched: () => Promise<boolean>): Promise<PushResult>;
}
