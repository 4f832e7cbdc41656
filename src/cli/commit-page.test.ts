import { expect, test } from 'vitest';
import * as jobs from '../../test/cli/ci-environments.ts';
import { isSha } from '../contract/commit.ts';
import { subjectOf } from '../deploy/recording-plan.ts';
import { showCommit } from '../deploy/render.ts';
import { readBuild } from './ci.ts';
import { runContext } from './run-context.ts';

const { head } = jobs;

/** The commit as the report of a job shows it. */
async function shownBy(environment: Record<string, string>): Promise<string> {
  const repository = { readReference: async () => undefined };
  const build = await readBuild(environment, repository, {}, false);
  const place = { command: 'deploy', folder: '', checkout: undefined, temp: '', noCommit: '' };
  const subject = subjectOf({
    context: runContext(build, place),
    pullRequest: undefined,
    environmentName: undefined,
    projectId: undefined,
  });
  if (!isSha(head)) throw new Error(`${head} is not a SHA`);
  return showCommit(head, subject);
}

const short = `<code>${head.slice(0, 7)}</code>`;
const jenkinsOf = (url: string) => ({ ...jobs.jenkinsBranch, GIT_URL: url });

// Gitea, Forgejo and GitHub have the page at `/commit/`, too.
test.each([
  ['GitLab', jobs.gitlabPush, 'https://gitlab.example.com/acme/site/-/commit/'],
  [
    'GitLab, at another name',
    {
      ...jobs.gitlabPush,
      CI_REPOSITORY_URL: 'https://ci:fake-token@code.example.com/acme/site.git',
    },
    'https://code.example.com/acme/site/-/commit/',
  ],
  [
    'GitLab, by Jenkins',
    jenkinsOf('https://gitlab.com/acme/site.git'),
    'https://gitlab.com/acme/site/-/commit/',
  ],
  ['Bitbucket Cloud', jobs.bitbucketPush, 'https://bitbucket.org/acme/site/commits/'],
  ['Azure Repos', jobs.azurePush, 'https://dev.azure.com/acme/site/_git/site/commit/'],
  [
    'Azure Repos, with a user and a space',
    {
      ...jobs.azurePush,
      BUILD_REPOSITORY_URI: 'https://acme@dev.azure.com/acme/The%20site/_git/site',
    },
    'https://dev.azure.com/acme/The%20site/_git/site/commit/',
  ],
  ['any other server', jobs.jenkinsBranch, 'https://git.example.com/acme/site/commit/'],
])('a commit is linked to its page on %s', async (_, environment, page) => {
  expect(await shownBy(environment)).toBe(`Commit [${short}](${page}${head})`);
});

test.each([
  ['Bitbucket Data Center', jenkinsOf('https://bitbucket.example.com/scm/acme/site.git')],
  ['Bitbucket Data Center in a folder', jenkinsOf('https://example.com/git/scm/acme/site.git')],
  ['a clone by ssh', jobs.buildkitePush],
])('a commit has no link where its page is not known: %s', async (_, environment) => {
  expect(await shownBy(environment)).toBe(`Commit ${short}`);
});
