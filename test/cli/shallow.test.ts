import { once } from 'node:events';
import { mkdtempDisposableSync } from 'node:fs';
import { createServer, request as sendRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { git } from '../../emulator/git/git.ts';
import { startGitHub } from '../../emulator/github/index.ts';
import { startEmulator } from '../../emulator/index.ts';
import { siteDeploy } from './site-deploy.ts';

/** Another address of a server, which redirects paths without `.git` as GitLab does. */
async function startStrict(url: string) {
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (!path.includes('.git/')) {
      response.writeHead(301, { location: path.replace('/info/', '.git/info/') }).end();
      return;
    }
    const { method, headers } = request;
    const onward = sendRequest(new URL(path, url), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const repository = 'octo-org/octo-site';

it.each([
  ['with the URL and the token that the CI cloned with', true],
  ['with a message, where that token is not good', false],
])('a shallow clone is completed from its server, %s', async (_, isGood) => {
  await using emulator = await startEmulator();
  await using server = await startGitHub();
  await using strict = await startStrict(server.url);
  const project = await emulator.world.createProject();
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'shallow-'));
  const origin = await server.gitFolder(repository);
  const whole = join(temporary.path, 'whole');
  const folder = join(temporary.path, 'shallow');
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost'];
  await git(['clone', '--quiet', project.gitUrl, whole]);
  for (const message of ['One', 'Two']) {
    const commit = ['commit', '--quiet', '--allow-empty', `--message=${message}`];
    await git(['-C', whole, ...author, ...commit]);
  }
  await git(['-C', whole, 'push', '--quiet', origin, 'HEAD:refs/heads/main']);
  await git(['clone', '--quiet', '--depth=1', '--branch=main', `file://${origin}`, folder]);
  const sha = await git(['-C', folder, 'rev-parse', 'HEAD']);
  const clone = new URL(`${strict.url}/${repository}.git`);
  clone.username = 'gitlab-ci-token';
  clone.password = isGood ? server.token : 'fake-wrong-token';
  const ran = await siteDeploy(['deploy', '--json'], {
    folder,
    env: {
      SITE_API_KEY: emulator.key,
      SITE_BASE_URL: emulator.url,
      SITE_PROJECT_ID: project.id,
      SITE_GIT_URL: `${emulator.url}/git/{projectId}.git`,
      SITE_GIT_TOKEN: emulator.gitToken,
      GITLAB_CI: 'true',
      CI_PIPELINE_SOURCE: 'push',
      CI_COMMIT_SHA: sha,
      CI_COMMIT_BRANCH: 'main',
      CI_REPOSITORY_URL: clone.href,
    },
  });
  const shown = `${ran.stdout}${ran.stderr}`;
  expect(shown).not.toContain(clone.password);
  expect(ran.stderr).toContain("from the repository's server");
  if (isGood) {
    expect(JSON.parse(ran.stdout)).toMatchObject({ outcome: 'succeeded', pushed: true });
    expect(await project.head()).toBe(sha);
  } else {
    expect(ran.status).toBe(1);
    expect(ran.stderr).toMatch(/shallow clone.*git fetch --unshallow/);
  }
});
