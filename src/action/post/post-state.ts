import type { SafeText } from '../../kernel/text/safe.ts';
import type { WayBack } from '../../release/report.ts';

/** What the main step keeps for the post step, by name. */
export const postState = {
  /** `true` once a deployment was asked for. */
  requested: 'requested',
  /** What the step does: `deploy` or `clean-up`. */
  work: 'work',
  /** `true` once the run was cancelled. */
  cancelled: 'cancelled',
  /** The project that is deployed to, once it is known. */
  project: 'project-id',
  /** The service's deployment, once it is accepted. */
  deployment: 'deployment-id',
  /** `true` once that has succeeded. */
  succeeded: 'succeeded',
  /** The way back, once it was begun, as JSON. */
  wayBack: 'way-back',
  /** The domains that are being moved, as JSON, once they are. */
  moving: 'moving',
  /** What is recorded on GitHub, as JSON. */
  record: 'record',
  /** The GitHub Deployment, once there is one. */
  recordedDeployment: 'github-deployment-id',
  /** Our comment, once it was written. */
  comment: 'comment-id',
  /** How the run ended, as JSON, before GitHub is told. */
  outcome: 'outcome',
  /** `true` once the main step has told how it ended. */
  reported: 'reported',
} as const;

/** What is kept of a way back. */
export interface KeptWayBack extends Pick<WayBack, 'commit' | 'isRequested' | 'deploymentEnd'> {
  /** The service's deployment, once it is accepted. */
  deploymentId?: SafeText;
}
