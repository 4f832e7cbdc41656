/** What the main step keeps for the post step, by name. */
export const postState = {
  /** `true` once a deployment was asked for. */
  requested: 'requested',
  /** The service's deployment, once it is accepted. */
  deployment: 'deployment-id',
  /** What is recorded on GitHub, as JSON. */
  record: 'record',
  /** The GitHub Deployment, once there is one. */
  recordedDeployment: 'github-deployment-id',
  /** `true` once the main step has told how it ended. */
  reported: 'reported',
} as const;
