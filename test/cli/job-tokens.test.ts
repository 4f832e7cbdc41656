// Attack (command): The job's token is written to a project under another name, or in a URL that the CI builds
// Defense: A variable that contains a token of the CI is refused, from any source; the same for the runner's
// `ACTIONS_…` tokens on GitHub

import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startEmulator } from '../../emulator/index.ts';
import { siteDeploy } from './site-deploy.ts';

const token = 'not-a-real-job-token-0123';
const url = `https://gitlab-ci-token:${token}@git.example.com/acme/site.git`;

/** The variables in which a CI gives its jobs a token. */
const given: [string, string][] = [
  ['ACTIONS_RUNTIME_TOKEN', token],
  ['BITBUCKET_STEP_OIDC_TOKEN', token],
  ['BUILDKITE_AGENT_ACCESS_TOKEN', token],
  ['BUILDKITE_AGENT_JOB_API_TOKEN', token],
  ['CI_JOB_TOKEN', token],
  ['CI_NETRC_PASSWORD', token],
  ['CI_REGISTRY_PASSWORD', token],
  ['CI_REPOSITORY_URL', url],
  ['CIRCLE_OIDC_TOKEN', token],
  ['DRONE_NETRC_PASSWORD', token],
  ['ENDPOINT_AUTH_PARAMETER_SYSTEMVSSCONNECTION_ACCESSTOKEN', token],
  ['GITEA_TOKEN', token],
  ['GITHUB_TOKEN', token],
  ['SITE_GITHUB_TOKEN', token],
  ['SITE_GITLAB_TOKEN', token],
  ['system_accesstoken', token],
];

/** Declares a variable that has a value, and leaves it to the command. */
const declarations: [string, (value: string) => [string[], Record<string, string>]][] = [
  ['env-from', (value) => [['--env-from', 'A=HARMLESS'], { HARMLESS: value }]],
  ['env-from, by the same name', (value) => [['--env-from', 'HARMLESS'], { HARMLESS: value }]],
  ['env', (value) => [['--env', `A=${value}`], {}]],
  ['an env-file', () => [[], { SITE_ENV_FILE: 'a.env' }]],
  ['the site file', () => [['--config', 'value.yml'], {}]],
  ['a source of the site file', (value) => [['--config', 'from.yml'], { HARMLESS: value }]],
];

async function sync(
  ci: Record<string, string>,
  value: string,
  declare: (typeof declarations)[0][1],
) {
  await using emulator = await startEmulator();
  const project = await emulator.world.createProject();
  using folder = mkdtempDisposableSync(join(tmpdir(), 'tokens-'));
  writeFileSync(join(folder.path, 'a.env'), `A='${value}'\n`);
  const file = (one: object) => JSON.stringify({ environment: { A: one } });
  writeFileSync(join(folder.path, 'value.yml'), file({ value, kind: 'plain' }));
  writeFileSync(join(folder.path, 'from.yml'), file({ from: 'HARMLESS' }));
  const [args, env] = declare(value);
  const ran = await siteDeploy(['env-sync', ...args, '--json', '--pull-request', 'none'], {
    folder: folder.path,
    env: {
      SITE_API_KEY: emulator.key,
      SITE_BASE_URL: emulator.url,
      SITE_PROJECT_ID: project.id,
      ...ci,
      ...env,
    },
  });
  return { ...ran, variables: project.variables, requests: emulator.journal.entries };
}

const [[, fromAlias]] = declarations as [(typeof declarations)[0]];

test.each(given)('the value of %s is written under no other name', async (name, value) => {
  const ran = await sync({ [name]: value, ...(value === url && gitLab) }, value, fromAlias);
  expect(ran).toMatchObject({ status: 2, variables: [], requests: [] });
  expect(ran.stderr).toMatch(/the value of A .*a token of the CI.*SD1206/);
  expect(`${ran.stdout}${ran.stderr}`).not.toContain(token);
});

const gitLab = {
  GITLAB_CI: 'true',
  CI_PIPELINE_SOURCE: 'push',
  CI_COMMIT_BRANCH: 'main',
};

test.each(declarations)('the job token is not written by %s', async (_name, declare) => {
  for (const value of [token, ` ${token}\n`, url, `_authToken=${token}`]) {
    const ran = await sync({ CI_JOB_TOKEN: token }, value, declare);
    expect(ran).toMatchObject({ status: 2, variables: [], requests: [] });
    expect(`${ran.stdout}${ran.stderr}`).not.toContain(token);
  }
});

test('a value that is not the token is written, and so is one beside an empty token', async () => {
  const ran = await sync({ CI_JOB_TOKEN: '' }, 'another-value', fromAlias);
  expect(ran).toMatchObject({ status: 0, variables: [{ name: 'A' }] });
});
