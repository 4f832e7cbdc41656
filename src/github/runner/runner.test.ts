import { expect, test } from 'vitest';
import { readContext } from './runner.ts';

const known = {
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_ACTION_REPOSITORY: 'OWNER/site-deploy-action',
  GITHUB_ACTION_REF: 'v1',
};

const urlFor = (environment: Record<string, string>) =>
  readContext({ ...known, ...environment }).troubleshootingUrl;

test.each([
  ['v1', 'v1'],
  ['releases/v1', 'releases/v1'],
])('the page about codes is that of the version that runs: %s', (ref, shown) => {
  expect(urlFor({ GITHUB_ACTION_REF: ref })).toBe(
    `https://github.com/OWNER/site-deploy-action/blob/${shown}/docs/troubleshooting.md`,
  );
});

test.each([
  ['of a local action', { GITHUB_ACTION_REPOSITORY: '' }],
  ['without a version', { GITHUB_ACTION_REF: '' }],
  ['of a repository that is none', { GITHUB_ACTION_REPOSITORY: '../x' }],
  [
    'on another server, where the action may be missing',
    { GITHUB_SERVER_URL: 'https://git.example' },
  ],
])('the page about codes is not known: %s', (_, environment) => {
  expect(urlFor(environment)).toBeUndefined();
});
