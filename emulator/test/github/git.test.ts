import { existsSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createGit } from '../git/git.ts';
import { repository, start } from './support.ts';

/** A stand-in whose repository has two commits, and git in a folder of the test's own. */
async function world() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'github-git-'));
  const github = await start();
  const git = createGit(folder.path);
  const origin = await github.gitFolder(repository);
  await git('init', '--quiet', '--initial-branch=main');
  for (const message of ['One', 'Two']) {
    await git('commit', '--quiet', '--allow-empty', '--message', message);
  }
  await git('push', '--quiet', origin, 'main');
  const signedIn = new URL(`${github.url}/${repository}`);
  Object.assign(signedIn, { username: 'x-access-token', password: github.token });
  return {
    folder,
    github,
    git,
    url: `${github.url}/${repository}`,
    signedIn: signedIn.href,
    [Symbol.asyncDispose]: async () => {
      await github[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('gives a repository to who has the token, and notes it', async () => {
  await using here = await world();
  const { git, github, signedIn } = here;
  const head = await git('rev-parse', 'main');
  expect(await git('ls-remote', signedIn, 'refs/heads/main')).toContain(head);
  expect(await git('ls-remote', `${signedIn}.git`, 'refs/heads/main')).toContain(head);
  const older = await git('rev-parse', 'main~1');
  await git('clone', '--quiet', '--bare', '--depth=1', signedIn, 'shallow');
  await git('--git-dir=shallow', 'fetch', '--quiet', '--depth=1', signedIn, older);
  const asked = github.journal.map(({ method, path }) => `${method} ${path}`);
  expect(asked).toContain(`POST /${repository}/git-upload-pack`);
  expect(github.violations).toEqual([]);
});

describe('refuses', () => {
  test('a wrong token, and none', async () => {
    await using here = await world();
    const wrong = here.signedIn.replace(here.github.token, 'wrong');
    await expect(here.git('ls-remote', wrong)).rejects.toThrow(/Authentication failed/);
    await expect(here.git('ls-remote', here.url)).rejects.toThrow(/could not read Username/);
    here.github.contents = 'public';
    expect(await here.git('ls-remote', here.url)).toContain('refs/heads/main');
    const header = `http.extraHeader=Authorization: Basic ${btoa('octo:wrong')}`;
    await expect(here.git('-c', header, 'ls-remote', here.url)).rejects.toThrow(/Username/);
  });

  test('a token that may not read, an unknown repository, and a push', async () => {
    await using here = await world();
    const { git, github, signedIn } = here;
    github.contents = 'none';
    await expect(git('ls-remote', signedIn)).rejects.toThrow(/403/);
    github.contents = 'token';
    await expect(git('ls-remote', `${signedIn}-2`)).rejects.toThrow(/not found/);
    await expect(git('push', signedIn, 'main:other')).rejects.toThrow(/403/);
  });
});

test('trouble strikes git alone if it is named', async () => {
  await using here = await world();
  const { git, github, signedIn } = here;
  github.trouble = { git: 'unavailable' };
  await expect(git('ls-remote', signedIn)).rejects.toThrow(/503/);
  github.trouble = { pulls: 'unavailable' };
  expect(await git('ls-remote', signedIn)).toContain('refs/heads/main');
  github.trouble = 'reset';
  await expect(git('ls-remote', signedIn)).rejects.toThrow(/Empty reply|reset/i);
});

test('a pack breaks off in the middle, once', async () => {
  await using here = await world();
  const { git, github, signedIn } = here;
  github.brokenPacks = [1_000_000, 120];
  await expect(git('clone', '--quiet', signedIn, 'copy')).rejects.toThrow(/128|EOF|hung up/);
  await git('clone', '--quiet', signedIn, 'copy');
});

test('its repositories go with it', async () => {
  const here = await world();
  const origin = await here.github.gitFolder(repository);
  expect(existsSync(origin)).toBe(true);
  await here[Symbol.asyncDispose]();
  expect(existsSync(origin)).toBe(false);
});
