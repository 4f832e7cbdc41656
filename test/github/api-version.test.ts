import { expect, test } from 'vitest';
import { startGitHub } from '../../emulator/github/index.ts';
import { openOctokit } from '../../src/github/client.ts';

const repository = 'octo-org/octo-site';

test('each request names the version of the API that it is written for', async () => {
  await using github = await startGitHub();
  github.issues.add(`${repository}#7`);
  const versions: unknown[] = [];
  github.trouble = ({ headers }) => {
    versions.push(headers['x-github-api-version']);
    return undefined;
  };
  const access = { apiUrl: github.url, token: github.token, repository };
  const { rest, owner, repo } = await openOctokit(access, new AbortController().signal);
  const issue = { owner, repo, issue_number: 7 };
  const { data } = await rest.issues.createComment({ ...issue, body: 'Hello' });
  await rest.issues.updateComment({ owner, repo, comment_id: data.id, body: 'Hello again' });
  await rest.issues.listComments({ ...issue, per_page: 1 });
  expect(versions).toEqual(['2022-11-28', '2022-11-28', '2022-11-28']);
});
