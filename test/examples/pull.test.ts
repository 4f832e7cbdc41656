// Attack (git): Commits of the project change `.github/`, and a merge of them changes what your runs execute
// Defense: `pull.yml` stops at each commit and merge that changes it, in upper or lower case, also if a later one reverts
// it

import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { LocalWorld } from '../../scripts/player/world.ts';
import { Checkout, git, repository } from '../git/support.ts';
import { root } from '../support/places.ts';
import { type GhCall, type GhEnd, startGh } from './gh.ts';
import { copyStarter, type StarterRun, startStarter } from './starter-world.ts';

type Starter = Awaited<ReturnType<typeof startStarter>>;

const branch = 'site/main';

const shown = (runs: readonly StarterRun[]) =>
  runs.map(({ file, conclusion }) => [file, conclusion]);

const logOf = (runs: readonly StarterRun[]) => runs.map(({ log }) => log).join('\n');

/** What the example selects of the list: the newest pull request of the repository itself. */
const newestOfOurs = 'map(select(.isCrossRepository | not))[0] | "\\(.state) \\(.headRefOid)"';

const optionOf = ({ args }: GhCall, name: string) => args[args.indexOf(name) + 1] ?? '';

/** GitHub's command line, as far as it lists and opens pull requests. */
function createPulls({ github }: Starter) {
  const list = (call: GhCall): GhEnd => {
    expect(optionOf(call, '--json').split(',')).toEqual([
      'state',
      'headRefOid',
      'isCrossRepository',
    ]);
    expect(optionOf(call, '--jq')).toBe(newestOfOurs);
    const head = optionOf(call, '--head');
    const [newest] = [...github.pullRequests.values()]
      .filter((pull) => pull.head.ref === head && pull.head.repo?.full_name === repository)
      .toReversed();
    const state = typeof newest?.merged_at === 'string' ? 'MERGED' : newest?.state?.toUpperCase();
    return { stdout: `${state ?? null} ${newest?.head.sha ?? null}\n` };
  };
  const create = async (call: GhCall): Promise<GhEnd> => {
    const [title, body, head, base] = ['--title', '--body', '--head', '--base'].map((name) =>
      optionOf(call, name),
    );
    const response = await fetch(`${github.url}/repos/${repository}/pulls`, {
      method: 'POST',
      headers: { authorization: `Bearer ${call.env['GH_TOKEN']}` },
      body: JSON.stringify({ title, body, head, base }),
    });
    return response.ok ? {} : { stderr: await response.text(), status: 1 };
  };
  return async (call: GhCall): Promise<GhEnd> => {
    const command = call.args.slice(0, 2).join(' ');
    if (command === 'pr list') return list(call);
    if (command === 'pr create') return await create(call);
    throw new Error(`gh ${command} is not expected`);
  };
}

/** Puts a `git` into a folder of the path that notes its arguments in a file, and gives what reads them. */
async function watchGit(folder: string) {
  const file = join(folder, 'arguments');
  const script = `#!/bin/sh\nprintf '%s\\n' "$@" >> '${file}'\nPATH="\${PATH#*:}" exec git "$@"\n`;
  await writeFile(join(folder, 'git'), script, { mode: 0o755 });
  return async () => await readFile(file, 'utf8');
}

/** A repository with `pull.yml` whose first commit is deployed, and `gh` on the path. */
async function startPull(
  answer?: (call: GhCall, usual: (call: GhCall) => Promise<GhEnd>) => GhEnd | Promise<GhEnd>,
) {
  await using opening = new AsyncDisposableStack();
  const setUp = async (local: LocalWorld, dev: Checkout) => {
    const given = await copyStarter(local, dev);
    const file = '.github/workflows/pull.yml';
    await cp(join(root, 'examples/workflows/pull.yml'), join(dev.folder, file));
    return given;
  };
  const world = opening.use(await startStarter(setUp, true));
  const bin = join(world.folder, 'bin');
  await mkdir(bin);
  const usual = createPulls(world);
  const gh = opening.use(
    await startGh(bin, (call) => (answer === undefined ? usual(call) : answer(call, usual))),
  );
  const first = await world.push('main', {});
  expect(shown(first), logOf(first)).toEqual([['deploy.yml', 'success']]);
  const open = opening.move();
  const pulls = () => world.github.pullRequests;
  return {
    ...world,
    gh,
    /** The runs of `pull.yml` and of what it starts. */
    pull: () => world.dispatch('pull.yml'),
    /** The pull requests, in order. */
    pulls: () => [...pulls().values()],
    /** Lets the service's AI commit to the project. @returns the commit */
    turn: async () => {
      const message = world.project.sendMessage({ content: 'Make it blue.' });
      await message.ended;
      return message.commit ?? '';
    },
    /** A clone of the project, as of a person who can push to it. */
    clone: async () => {
      const there = new Checkout(await mkdtemp(join(world.folder, 'project-')));
      const from = await world.project.gitFolder();
      await there.git('clone', '--quiet', `file://${from}`, '.');
      return { there, push: () => there.git('push', '--quiet', 'origin', 'HEAD:refs/heads/main') };
    },
    /** The head of the branch that `pull.yml` pushes; empty if there is none. */
    head: async () =>
      await git(await world.github.gitFolder(repository), [
        'rev-parse',
        `refs/heads/${branch}`,
      ]).catch(() => ''),
    /** Merges the branch into main, as GitHub's button does. */
    merge: async () => {
      const { dev } = world;
      await dev.git('fetch', '--quiet', await world.github.gitFolder(repository), branch);
      await dev.git('checkout', '--quiet', 'main');
      await dev.git('merge', '--quiet', '--no-ff', '--no-edit', 'FETCH_HEAD');
      return await world.push('main', {});
    },
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  };
}

describe.skipIf(process.platform === 'win32')('pull.yml (Windows runs no such script)', () => {
  test('takes what the AI committed to main, from the message to the deployment of the merge', async () => {
    await using world = await startPull();
    const { project, github, emulator } = world;
    expect(shown(await world.pull())).toEqual([['pull.yml', 'success']]);
    expect(world.gh.calls).toEqual([]);

    const commit = await world.turn();
    const refused = await world.push('main', { 'style.css': 'body {}' });
    expect(shown(refused)).toEqual([['deploy.yml', 'failure']]);
    expect(logOf(refused)).toContain('SD7004');

    const readArguments = await watchGit(join(world.folder, 'bin'));
    const pulled = await world.pull();
    expect(pulled[0], logOf(pulled)).toMatchObject({ file: 'pull.yml', conclusion: 'success' });
    expect(world.pulls()).toMatchObject([
      { state: 'open', head: { ref: branch, sha: commit }, base: { ref: 'main' } },
    ]);
    // The AI goes on, and so does the pull request. A second run changes nothing.
    const next = await world.turn();
    for (const _ of [1, 2]) expect((await world.pull())[0]?.conclusion).toBe('success');
    expect(world.pulls()).toMatchObject([{ state: 'open', head: { sha: next } }]);

    const merged = await world.merge();
    expect(merged.find(({ file }) => file === 'deploy.yml')?.conclusion, logOf(merged)).toBe(
      'success',
    );
    expect(world.pulls()).toMatchObject([{ state: 'closed', merged_at: expect.any(String) }]);
    const head = await world.dev.git('rev-parse', 'HEAD');
    expect(await project.head()).toBe(head);
    expect(project.deployments.at(-1)?.commit).toBe(head);
    expect(shown(await world.pull())).toEqual([['pull.yml', 'success']]);
    expect(world.pulls()).toHaveLength(1);

    // The next commit has a pull request of its own, through the same branch.
    const last = await world.turn();
    await world.pull();
    expect(world.pulls().slice(1)).toMatchObject([{ state: 'open', head: { sha: last } }]);
    const { url } = github;
    const [create] = world.gh.calls.filter(({ args }) => args[1] === 'create');
    expect(create?.env).toMatchObject({ GH_HOST: new URL(url).host, GH_REPO: repository });
    expect(JSON.stringify(world.gh.calls)).not.toContain(emulator.gitToken);
    const given = await readArguments();
    expect(given).toContain(`${commit}:refs/heads/${branch}`);
    for (const token of [emulator.gitToken, create?.env['GH_TOKEN'] ?? '']) {
      expect(given).not.toContain(token);
      expect(given).not.toContain(Buffer.from(`git:${token}`).toString('base64'));
    }
    expect(github.violations).toEqual([]);
  });

  /** Ways in which commits of the project change `.github/`. */
  const changes: Record<string, (there: Checkout) => Promise<unknown>> = {
    'a new workflow': (there) => there.commit({ '.github/workflows/evil.yml': 'on: push' }),
    'another case of the name': (there) =>
      there.commit({ '.GitHub/workflows/evil.yml': 'on: push' }),
    'a change that is reverted': async (there) => {
      await there.commit({ '.github/workflows/evil.yml': 'on: push' });
      await there.git('revert', '--no-edit', 'HEAD');
    },
    'a merge that discards it': async (there) => {
      await there.git('checkout', '--quiet', '-b', 'side');
      await there.commit({ '.github/workflows/evil.yml': 'on: push' });
      await there.git('checkout', '--quiet', 'main');
      await there.commit({ 'a.txt': 'a' });
      await there.git('merge', '--quiet', '--no-edit', '--strategy=ours', 'side');
    },
    'a merge that adds it': async (there) => {
      await there.git('checkout', '--quiet', '-b', 'side');
      await there.commit({ 'b.txt': 'b' });
      await there.git('checkout', '--quiet', 'main');
      await there.commit({ 'a.txt': 'a' });
      await there.git('merge', '--quiet', '--no-ff', '--no-commit', 'side');
      await there.commit({ '.github/workflows/evil.yml': 'on: push' });
    },
  };

  test.each(Object.entries(changes))('stops at %s, and names the file', async (_name, change) => {
    await using world = await startPull();
    const { there, push } = await world.clone();
    await change(there);
    await push();
    const [run] = await world.pull();
    expect(run?.conclusion, run?.log).toBe('failure');
    expect(run?.summary.toLowerCase()).toContain('\n    .github/workflows/evil.yml\n');
    expect([await world.head(), world.pulls(), world.gh.calls]).toEqual(['', [], []]);
  });

  test('names at most 20 files, and runs no command that is in a name or a subject', async () => {
    await using world = await startPull();
    const { there, push } = await world.clone();
    const hostile = '.github/\n::error::fake-error\n##[error]fake-error`$(exit 7)`';
    const files = Array.from({ length: 30 }, (_, index) => `.github/file-${index + 10}`);
    await there.commit(
      Object.fromEntries([hostile, ...files].map((file) => [file, ''])),
      '::error::fake-error',
    );
    await push();
    const [run] = await world.pull();
    expect(run?.conclusion).toBe('failure');
    const named = run?.summary.split('\n').filter((line) => line.startsWith('    '));
    expect(named).toHaveLength(20);
    expect(run?.summary).not.toContain('\n::error::');
    expect(run?.log).not.toContain('fake-error');
    expect(run?.log).not.toContain('file-10');
  });

  test('leaves a pull request closed until there is another commit', async () => {
    await using world = await startPull();
    const { github } = world;
    await world.turn();
    await world.pull();
    await github.updatePullRequest(repository, 1, { state: 'closed' });
    const again = await world.pull();
    expect(again[0], logOf(again)).toMatchObject({ conclusion: 'success' });
    expect(world.pulls()).toHaveLength(1);
    const commit = await world.turn();
    await world.pull();
    expect(world.pulls()).toMatchObject([
      { state: 'closed' },
      { state: 'open', head: { sha: commit } },
    ]);
  });

  test('opens one pull request although the answer to the first attempt was lost', async () => {
    let isLost = false;
    await using world = await startPull(async (call, usual) => {
      const end = await usual(call);
      if (isLost || call.args[1] !== 'create') return end;
      isLost = true;
      return { stderr: 'connection reset by peer', status: 1 };
    });
    await world.turn();
    expect((await world.pull())[0]?.conclusion).toBe('failure');
    expect((await world.pull())[0]?.conclusion).toBe('success');
    expect(world.pulls()).toMatchObject([{ state: 'open' }]);
    expect(world.gh.calls.filter(({ args }) => args[1] === 'create')).toHaveLength(1);
  });

  test('names the setting if GitHub Actions may not open pull requests', async () => {
    await using world = await startPull((call, usual) =>
      call.args[1] === 'create'
        ? {
            stderr: 'GitHub Actions is not permitted to create or approve pull requests',
            status: 1,
          }
        : usual(call),
    );
    const commit = await world.turn();
    const [run] = await world.pull();
    expect(run?.conclusion).toBe('failure');
    expect(run?.log).toMatch(/^Error: .* allow GitHub Actions to create pull requests\?$/m);
    expect(await world.head()).toBe(commit);
  });

  test('keeps commits of its branch, such as a resolved conflict', async () => {
    await using world = await startPull();
    const { dev } = world;
    await world.turn();
    await world.pull();
    const own = await world.github.gitFolder(repository);
    await dev.git('fetch', '--quiet', own, branch);
    await dev.git('checkout', '--quiet', '-b', 'resolved', 'FETCH_HEAD');
    const resolved = await dev.commit({ 'resolved.txt': '' });
    await world.push(branch, {});
    const first = await world.head();
    expect((await world.pull())[0]?.conclusion).toBe('success');
    await world.turn();
    const [run] = await world.pull();
    expect(run?.conclusion).toBe('failure');
    expect(run?.log).toContain('If it has commits of its own');
    expect(await world.head()).toBe(first);
    expect(await dev.git('merge-base', '--is-ancestor', resolved, first)).toBe('');
  });

  test('does nothing on another branch, without the right token, and without a commit in common', async () => {
    await using world = await startPull();
    await world.push('topic', {});
    expect(await world.dispatch('pull.yml', 'topic')).toMatchObject([{ conclusion: 'skipped' }]);
    const { SITE_GIT_TOKEN } = { SITE_GIT_TOKEN: 'fake-wrong-token', ...world.secrets };
    Object.assign(world.secrets, { SITE_GIT_TOKEN: 'fake-wrong-token' });
    const [refused] = await world.pull();
    expect(refused?.conclusion).toBe('failure');
    expect(refused?.log).toContain('Authentication failed');
    expect(refused?.log).not.toContain('fake-wrong-token');
    Object.assign(world.secrets, { SITE_GIT_TOKEN });
    const { there } = await world.clone();
    await there.git('checkout', '--quiet', '--orphan', 'other');
    await there.commit({ 'index.html': 'other' });
    await there.git('push', '--quiet', '--force', 'origin', 'HEAD:refs/heads/main');
    const [apart] = await world.pull();
    expect(apart?.conclusion).toBe('failure');
    expect(apart?.log).toContain('no commit in common');
    expect([await world.head(), world.gh.calls]).toEqual(['', []]);
  });
});
