import type { Marker, MarkerSeal } from '../../core/comment/marker.ts';
import type { SignedClaim } from '../../core/preview/claim.ts';
import type { GitHubAccess } from '../../github/api.ts';
import type { DeploymentRequest } from '../../github/deployment.ts';

/** What of a run is to be recorded on GitHub. It can be kept as JSON for the post step. */
export interface RecordPlan {
  runUrl: string;
  comment?: { number: number; marker: Marker };
  deployment?: DeploymentRequest;
  /** True if the GitHub Deployment is made only once the preview may be placed, because it holds the claim. */
  waits?: boolean;
  /** Whose the preview's hostname is: what was read at the start, or what this run has taken since. */
  claim?: SignedClaim;
  projectId: string;
  commit: string;
}

/** How a recorder reaches GitHub and its reader. */
export interface RecordContext {
  access: GitHubAccess;
  /** Makes the seal of the comments on a pull request. */
  sealFor: (number: number) => MarkerSeal;
  warn: (text: string) => void;
  /** Is told the id of the GitHub Deployment as soon as there is one. */
  onDeployment: (id: number) => void;
  /** Is told the id of our comment as soon as there is one. */
  onComment: (id: number) => void;
  /** Is told what is to be recorded as soon as that changes. */
  onPlan: (plan: RecordPlan) => void;
}

/** What was recorded before: by the main step, for its post step. */
export interface Known {
  deploymentId: number | undefined;
  commentId: number | undefined;
}
