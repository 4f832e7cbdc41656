// Attack (git): A git token is in an argument, a log, a URL, a file or another process; git receives the API key
// Defense: A git process gets a few named variables, and at most the token of the side that it connects to, in its
// environment

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, test } from 'vitest';
import { processesIn, type SeenProcess } from './processes.ts';
import { spyOnGit } from './spy.ts';
import { type GitWorld, startGitWorld } from './support.ts';

// The processes and their arguments are read in /proc, which only Linux has.
const isLinux = process.platform === 'linux';

/** A secret as it is, and as the header of a request holds it. */
function forms(username: string, secret: string): string[] {
  return [secret, btoa(`${username}:${secret}`), btoa(secret).slice(0, -4)];
}

/** What a step's environment holds: all that the children of git must not get. */
function stepEnvironment({ emulator, github }: GitWorld, path?: string): NodeJS.ProcessEnv {
  return {
    PATH: path ?? process.env['PATH'],
    'INPUT_API-KEY': emulator.key,
    'INPUT_GIT-TOKEN': emulator.gitToken,
    'INPUT_GITHUB-TOKEN': github.token,
    ACTIONS_RUNTIME_TOKEN: 'fake-runtime-token',
    STRIPE_KEY: 'fake-stripe-key',
    GIT_TRACE_REDACT: '0',
    GIT_TRACE: join('/', 'nowhere', 'trace'),
    GIT_SSH_COMMAND: 'fake-ssh',
    GIT_CONFIG_PARAMETERS: "'http.proxy'='http://127.0.0.1:9'",
    HOME: '/nowhere',
  };
}

function secretsOf({ emulator, github }: GitWorld) {
  return {
    project: forms('git', emulator.gitToken),
    github: forms('x-access-token', github.token),
    nobody: [emulator.key, 'fake-runtime-token', 'fake-stripe-key'],
  };
}

const holds = (text: string, secrets: readonly string[]) =>
  secrets.some((secret) => text.includes(secret));

test.skipIf(!isLinux)(
  'each start of git is given one token at most, by its environment (seen in /proc, so on Linux)',
  async () => {
    await using world = await startGitWorld({ partialFetch: true });
    const { first: commit } = world;
    await world.pushToProject();
    const spy = await spyOnGit(world.folder);
    const environment = stepEnvironment(world, spy.path);
    await world.pushCommit(commit, { environment, force: 'always' });
    const secrets = secretsOf(world);
    const starts = await spy.starts();
    const table = starts.map(({ command, args, environment: given }) => {
      const text = given.join('\n');
      expect(args.join('\n')).not.toMatch(/fake-|Authorization/);
      expect(holds(text, secrets.nobody), command).toBe(false);
      expect(text).not.toMatch(/^GIT_(TRACE|TRACE_REDACT|SSH_COMMAND|CONFIG_PARAMETERS)=/m);
      const side = args.find((arg) => arg === 'project' || arg === 'github') ?? 'nobody';
      const protocol = /^GIT_ALLOW_PROTOCOL=(.*)$/m.exec(text)?.[1];
      const held = { project: holds(text, secrets.project), github: holds(text, secrets.github) };
      return { command, side, protocol, ...held };
    });
    const alone = { side: 'nobody', protocol: '', project: false, github: false };
    const toGitHub = { side: 'github', protocol: 'http', project: false, github: true };
    const toProject = { side: 'project', protocol: 'http', project: true, github: false };
    expect(table).toEqual([
      { command: 'version', ...alone },
      { command: 'init', ...alone },
      { command: 'ls-remote', ...toProject },
      { command: 'fetch', ...toGitHub },
      { command: 'cat-file', ...alone },
      { command: 'rev-list', ...alone },
      { command: 'fetch', ...toProject },
      { command: 'rev-list', ...alone },
      { command: 'rev-list', ...alone },
      { command: 'fetch', ...toGitHub },
      { command: 'push', ...toProject },
    ]);
  },
);

/** All that lies in a folder, as one text. */
async function contentsOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1'));
  return (await Promise.all(texts)).join('\n');
}

describe.skipIf(!isLinux)(
  'while git works, no process and no file holds what it must not (seen in /proc, so on Linux)',
  () => {
    test.each(['project', 'github'] as const)('as it talks to %s', async (side) => {
      await using world = await startGitWorld();
      const { pushCommit, emulator, first, github, temp } = world;
      let seen: SeenProcess[] = [];
      let files = '';
      const look = async () => {
        seen = await processesIn(temp);
        files = await contentsOf(temp);
      };
      const strike = { operation: 'git', method: 'POST', path: /git-receive-pack$/ };
      if (side === 'project') emulator.faults.add({ ...strike, kind: 'hold', until: look });
      else github.onGit = look;
      await pushCommit(first, { environment: stepEnvironment(world), force: 'always' });
      const { nobody, ...tokens } = secretsOf(world);
      const others = [...nobody, ...tokens[side === 'project' ? 'github' : 'project']];
      expect(seen.map(({ args }) => args.split('\n')[0])).toEqual(
        expect.arrayContaining(['git', expect.stringMatching(/git-remote-http|^git$/)]),
      );
      expect(seen.length).toBeGreaterThan(1);
      for (const { args, environment } of seen) {
        expect(args).not.toMatch(/fake-|Authorization/);
        expect(holds(environment, others)).toBe(false);
      }
      expect(seen.some(({ environment }) => holds(environment, tokens[side]))).toBe(true);
      expect(files).toContain('bare = true');
      expect(holds(files, [...nobody, ...tokens.project, ...tokens.github])).toBe(false);
    });
  },
);

test('a token that is echoed is told nowhere', async () => {
  await using world = await startGitWorld();
  const { first: commit } = world;
  const { emulator, steps } = world;
  const [token = '', header = ''] = secretsOf(world).project;
  const body = `You sent ${token} and ${header}.\n`;
  const headers = { 'content-type': 'text/plain' };
  const echo = { kind: 'status', status: 503, headers, body, effect: false } as const;
  emulator.faults.add({ operation: 'git', times: 99, ...echo });
  const failure = await world.pushCommit(commit).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    trouble: { detail: expect.stringContaining('You sent ***') },
  });
  for (const text of [JSON.stringify(failure), String(failure), JSON.stringify(steps)]) {
    expect(holds(text, [token, header])).toBe(false);
  }
});
