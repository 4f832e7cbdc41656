import type { Host } from '../frame/host.ts';
import type { PushResult } from './model/push-result.ts';

/** How the commit gets to its project's repository. */
export interface Pusher {
  /** The branch that it is to be in. */
  branch: string;
  /**
   * Pushes it there, unless it is there already.
   *
   * @param isUntouched tells whether the service shows that the project holds nothing but its template
   * @throws a `GitFailure` if that is not possible, or the signal's reason
   */
  bring(host: Host, projectId: string, isUntouched: () => Promise<boolean>): Promise<PushResult>;
}
