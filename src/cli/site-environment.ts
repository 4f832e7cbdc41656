import type { StepEnvironment } from '../platform.ts';
import { commandNames, inputsOf, variableOf } from './commands.ts';

/** Tokens that CIs give their own jobs, and those for the servers of a CI: no site may have them. */
const tokens = [
  'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
  'ACTIONS_RUNTIME_TOKEN',
  'BITBUCKET_STEP_OIDC_TOKEN',
  'BUILDKITE_AGENT_ACCESS_TOKEN',
  'BUILDKITE_AGENT_JOB_API_TOKEN',
  'CI_BUILD_TOKEN',
  'CI_DEPENDENCY_PROXY_PASSWORD',
  'CI_DEPLOY_PASSWORD',
  'CI_JOB_JWT',
  'CI_JOB_JWT_V1',
  'CI_JOB_JWT_V2',
  'CI_JOB_TOKEN',
  'CI_NETRC_PASSWORD',
  'CI_REGISTRY_PASSWORD',
  'CIRCLE_OIDC_TOKEN',
  'CIRCLE_OIDC_TOKEN_V2',
  'DRONE_NETRC_PASSWORD',
  'ENDPOINT_AUTH_PARAMETER_SYSTEMVSSCONNECTION_ACCESSTOKEN',
  'ENDPOINT_AUTH_SYSTEMVSSCONNECTION',
  'FORGEJO_TOKEN',
  'GITEA_TOKEN',
  'GITHUB_TOKEN',
  'GITLAB_TOKEN',
  'SEMAPHORE_OIDC_TOKEN',
  // That of status may be set where another command runs.
  'SITE_GITHUB_TOKEN',
  'SITE_GITLAB_TOKEN',
  'SYSTEM_ACCESSTOKEN',
  'VERCEL_OIDC_TOKEN',
  'VSS_NUGET_ACCESSTOKEN',
];

/** The variables that no site may have, in capitals: the inputs of all commands, and the CI's own tokens. */
const withheld: ReadonlySet<string> = new Set([
  ...tokens,
  // It contains such a token.
  'CI_REPOSITORY_URL',
  ...commandNames.flatMap((command) => Object.keys(inputsOf(command)).map(variableOf)),
]);

/** True of a variable that no site may have: an input of a command, or a token of the CI. */
export const isWithheld = (name: string): boolean => withheld.has(name.toUpperCase());

/** The tokens that the CI gave this job. No variable may contain one, whatever its source is called. */
export const jobTokens = (environment: StepEnvironment): string[] =>
  Object.entries(environment)
    .filter(([name]) => tokens.includes(name.toUpperCase()))
    .map(([, value]) => value?.trim() ?? '')
    .filter((token) => token !== '');

/** An environment without what no site may have. */
export const siteEnvironment = (environment: StepEnvironment): StepEnvironment =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => !isWithheld(name)));
