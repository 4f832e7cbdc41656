import { expect, test } from 'vitest';
import { startGitHub } from '../../emulator/github/index.ts';
import { openOctokit } from '../../src/github/client.ts';
import { setDeploymentStatus } from '../../src/github/deployments.ts';

const repository = 'octo-org/octo-site';

test('a status that GitHub refuses is not sent again', async () => {
  await using github = await startGitHub();
  let requests = 0;
  github.trouble = () => {
    requests += 1;
    return { status: 403, body: { message: 'Resource not accessible by integration' } };
  };
  const access = { apiUrl: github.url, token: github.token, repository };
  const octokit = await openOctokit(access, new AbortController().signal);
  const status = { state: 'success', description: '', logUrl: '', environmentUrl: '' } as const;
  await expect(setDeploymentStatus(octokit, 1, status)).rejects.toThrow('not accessible');
  expect(requests).toBe(1);
});
