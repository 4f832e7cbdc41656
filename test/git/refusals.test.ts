import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import type { DialectOptions } from '../../emulator/index.ts';
import { rows } from '../support/exhaustive.ts';
import { address, type PushOptions, projectRequests, startGitWorld } from './support.ts';

const force = 'always';

describe.concurrent('the project says no', () => {
  const credentials: [string, DialectOptions, PushOptions, object][] = [
    ['to a wrong token', {}, { project: { token: 'fake-wrong' } }, { fault: 'credentials' }],
    ['to no token', {}, { project: { token: '' } }, { fault: 'credentials' }],
    ['to a wrong user', { gitUsername: 'octo' }, {}, { fault: 'credentials' }],
  ];
  // With something that is refused, and with nothing to ask with.
  test.each(rows(credentials, (_, index) => index < 2))(
    '%s, once',
    async (_name, dialect, options, trouble) => {
      await using world = await startGitWorld(dialect);
      const { first: commit } = world;
      await expect(world.pushCommit(commit, options)).rejects.toMatchObject({
        trouble: { kind: 'project', ...trouble },
        message: expect.stringMatching(
          /^The project's repository rejected git-token, or the user name in git-url(?!.*prompts)/s,
        ),
      });
      expect(projectRequests(world)).toEqual(['GET git-upload-pack']);
      expect(await world.leftovers()).toEqual([]);
    },
  );

  test.each([
    [403, 'forbidden', /Give it push access/],
    [404, 'not-found', /No repository found at git-url/],
    [413, 'too-large', /larger than/],
    [422, 'refused', /not the URL of a git repository/],
  ])('with %d to the push, once', async (status, fault, message) => {
    await using world = await startGitWorld();
    const { first: commit } = world;
    const workspace = await world.copyDev();
    const head = await world.project.head();
    const strike = { operation: 'git', method: 'POST', path: /git-receive-pack$/ };
    world.emulator.faults.add({ ...strike, times: 9, kind: 'status', status, effect: false });
    await expect(world.pushCommit(commit, { workspace, force })).rejects.toMatchObject({
      trouble: { kind: 'project', fault },
      message: expect.stringMatching(message),
    });
    expect(projectRequests(world).filter((one) => one === 'POST git-receive-pack')).toHaveLength(1);
    expect(await world.project.head()).toBe(head);
  });

  test('to a protected branch, in its own detail, which are cleaned as its name is', async () => {
    const hostileText = '\u001b[31m##[error]Red ::stop:: @all';
    const branch = 'ma\u202ein';
    await using world = await startGitWorld({ protectedBranches: [branch], hostileText });
    const { first: commit } = world;
    const workspace = await world.copyDev();
    const result = world.pushCommit(commit, { workspace, force, branch });
    await expect(result).rejects.toMatchObject({
      trouble: { kind: 'rejected', branch: 'ma in', reason: 'pre-receive hook declined' },
      message: expect.stringMatching(
        /rejected the push to ma in: pre-receive hook declined\. .*Protected branch update failed for refs\/heads\/ma in\. ##\[error\]Red/,
      ),
    });
    for (const raw of ['\u001b', '\u202e']) await expect(result).rejects.not.toThrow(raw);
    const pushes = projectRequests(world).filter((one) => one === 'POST git-receive-pack');
    expect(pushes).toHaveLength(1);
  });

  test('by a hook, whose reason is found among its lines and redacted', async () => {
    await using world = await startGitWorld();
    const { first: commit } = world;
    const workspace = await world.copyDev();
    const hooks = join(await world.project.gitFolder(), 'hooks');
    await mkdir(hooks);
    const lines = [
      'error: Trace: 5c1e0ad8f6b3a6d1',
      `- ${world.emulator.gitToken} sent this: \u001b[31m::error::Red\u202e`,
      "error: File a.mp4 is 150.00 MB; this exceeds GitHub's file size limit of 100.00 MB",
      'error: GH001: Large files detected.',
      ...Array.from({ length: 9 }, () => '====='),
    ];
    const script = `#!/bin/sh\ncat >&2 <<'END'\n${lines.join('\n')}\nEND\nexit 1\n`;
    await writeFile(join(hooks, 'pre-receive'), script, { mode: 0o755 });
    const result = world.pushCommit(commit, { workspace, force });
    await expect(result).rejects.toThrow(
      /rejected the push to main: pre-receive hook declined\. A file is too large: .* Git: \*\*\* sent this: ::error::Red; File a\.mp4 is 150\.00 MB; .*; GH001: Large files detected\. \(SD7006\)$/,
    );
  });

  test('for want of room', async () => {
    await using world = await startGitWorld({ largestPush: 100 });
    const { first: commit } = world;
    const workspace = await world.copyDev();
    await expect(world.pushCommit(commit, { workspace, force })).rejects.toMatchObject({
      trouble: { kind: 'not-stored' },
      message: expect.stringMatching(/out of space\. Git: .*maximum allowed size/),
    });
  });

  test('to a branch that is a folder of another', async () => {
    await using world = await startGitWorld();
    const { first: commit } = world;
    const workspace = await world.copyDev();
    await expect(world.pushCommit(commit, { workspace, branch: 'main/x' })).rejects.toMatchObject({
      trouble: { kind: 'rejected', reason: expect.stringMatching(/./) },
    });
  });
});

test.concurrent('a token is not needed where none is asked for', async () => {
  await using world = await startGitWorld({ gitAuth: 'none' });
  const { first: commit } = world;
  const project = { token: '' };
  expect(await world.pushCommit(commit, { force, project })).toMatchObject({ kind: 'pushed' });
  const sent = world.emulator.journal.of('git').map(({ headers }) => headers.authorization);
  expect(new Set(sent)).toEqual(new Set([undefined]));
});

test.concurrent('the user and the password in the URL are used, whatever the token is', async () => {
  await using world = await startGitWorld({ gitUsername: 'octo' });
  const { first: commit } = world;
  const url = Object.assign(new URL(world.project.gitUrl), { username: 'octo' });
  const project = { address: address(url.href), token: 'fake-wrong' };
  expect(await world.pushCommit(commit, { force, project })).toMatchObject({ kind: 'pushed' });
});

test.concurrent('a redirect is not followed, and takes no token along', async () => {
  await using world = await startGitWorld();
  const { first: commit } = world;
  const asked: unknown[] = [];
  const other = createServer((request, response) => {
    asked.push(request.headers);
    response.end();
  });
  await once(other.listen(0, '127.0.0.1'), 'listening');
  const { port } = other.address() as AddressInfo;
  const location = `http://127.0.0.1:${port}/elsewhere.git/info/refs?service=git-upload-pack`;
  const redirect = { kind: 'status', status: 302, headers: { location }, effect: false } as const;
  world.emulator.faults.add({ operation: 'git', times: 9, ...redirect });
  await expect(world.pushCommit(commit)).rejects.toMatchObject({
    trouble: { kind: 'project', fault: 'redirected', target: undefined },
    message: expect.stringMatching(/^git-url redirects to another server or page/),
  });
  world.emulator.faults.clear();
  // One that has the request sent again as it is, with what is to be pushed.
  const path = /git-receive-pack$/;
  const push = { operation: 'git', method: 'POST', path, ...redirect, status: 307 } as const;
  world.emulator.faults.add(push);
  await expect(world.pushCommit(commit, { force })).rejects.toMatchObject({
    trouble: { kind: 'project', fault: 'redirected' },
  });
  world.emulator.faults.clear();
  world.github.trouble = () => ({ status: 302, headers: { location } });
  await expect(world.pushCommit(commit)).rejects.toMatchObject({
    trouble: { kind: 'source', fault: 'redirected' },
  });
  expect(asked).toEqual([]);
  other.close();
});

test.concurrent('a redirect on the same server is named, unless a secret is in it', async () => {
  await using world = await startGitWorld();
  const { first: commit } = world;
  const respond = async (location: string) => {
    const redirect = { kind: 'status', status: 301, headers: { location }, effect: false } as const;
    world.emulator.faults.clear();
    world.emulator.faults.add({ operation: 'git', times: 1, ...redirect });
    return await world.pushCommit(commit).catch((error: Error) => error.message);
  };
  const suffix = '/info/refs?service=git-upload-pack';
  const address = `${world.emulator.url}/group/site.git`;
  expect(await respond(`/group/site.git${suffix}`)).toContain(
    `git-url redirects to ${address}, and git-token is not sent after a redirect. Set git-url to that`,
  );
  const secret = await respond(`/${world.emulator.gitToken}/site.git${suffix}`);
  expect(secret).toMatch(/^git-url redirects to another server or page/);
});

describe.concurrent('the machine', () => {
  test('has no folder for temporary files', async () => {
    await using world = await startGitWorld();
    const { first: commit } = world;
    const temp = join(world.folder, 'nowhere');
    await expect(world.pushCommit(commit, { temp })).rejects.toMatchObject({
      trouble: { kind: 'local', detail: expect.stringContaining(temp) },
    });
  });

  const programs = async (folder: string, script?: string) => {
    const path = join(folder, 'programs');
    await mkdir(path);
    if (script !== undefined) await writeFile(join(path, 'git'), script, { mode: 0o755 });
    return { ...process.env, PATH: path };
  };

  const refuses = async (_name: string, script: string | undefined, message: RegExp) => {
    await using world = await startGitWorld();
    const environment = await programs(world.folder, script);
    const { first: commit } = world;
    await expect(world.pushCommit(commit, { environment })).rejects.toThrow(message);
    expect(projectRequests(world)).toEqual([]);
    expect(await world.leftovers()).toEqual([]);
  };

  test('has no git', async () =>
    await refuses(
      'has no git',
      undefined,
      /^git-url needs git, which is not installed\. Install git 2\.32/,
    ));

  test.skipIf(process.platform === 'win32').each([
    ['has an old git', '#!/bin/sh\necho git version 2.25.1\n', /^Git 2\.25\.1 is too old/],
    ['has something else', '#!/bin/sh\nprintf "\\033[31mhub"\n', /^Git hub is too old/],
  ])('%s (a script, which Windows does not take for git.exe)', refuses);
});
