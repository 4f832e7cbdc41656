import { exec, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { LineFeed } from '../../emulator/runner/line-feed.ts';
import { sendTo } from '../../emulator/test/service/support.ts';
import { readValues } from '../../scripts/player/local-values.ts';
import { findRepository } from '../../scripts/player/own-repository.ts';
import { root } from '../../scripts/player/play.ts';
import { UsageError } from '../../scripts/player/usage-error.ts';
import { compiled } from '../support/places.ts';
import { play } from './play.ts';

const runFile = promisify(execFile);
const runShell = promisify(exec);

/** A new git repository without a commit. */
async function openRepository() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'own-site-'));
  const site = join(folder.path, 'my site');
  await mkdir(join(site, '.github/workflows'), { recursive: true });
  const git = async (...args: string[]) => {
    const author = ['-c', 'user.name=Dev', '-c', 'user.email=dev@example.invalid'];
    const { stdout } = await runFile('git', ['-C', site, ...author, ...args]);
    return stdout.trim();
  };
  await git('init', '--quiet', '--initial-branch=main');
  return {
    site,
    git,
    commit: async (files: Readonly<Record<string, string>>) => {
      for (const [name, content] of Object.entries(files))
        await writeFile(join(site, name), content);
      await git('add', '--all');
      await git('commit', '--quiet', '--message', 'A change');
      return await git('rev-parse', 'HEAD');
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

const starterFile = (path: string) =>
  readFile(join(root, 'examples/starter/.github', path), 'utf8');

/** Starts the command, and gives the lines that it prints. */
function startEmulator(args: readonly string[]) {
  const child = spawn(process.execPath, ['scripts/emulator.ts', '--build-ms', '50', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: root,
    env: { ...process.env, INIT_CWD: root, NODE_COMPILE_CACHE: compiled },
  });
  const feed = new LineFeed();
  createInterface(child.stdout).on('line', (line) => feed.push(line));
  child.once('exit', () => feed.end());
  return {
    feed,
    until: (pattern: RegExp) => feed.waitFor((line) => pattern.test(line)),
    [Symbol.asyncDispose]: async () => {
      const exited = once(child, 'exit');
      child.kill();
      await exited;
    },
  };
}

test.concurrent('an empty repository of your own: the first push is deployed, and a pull request has a preview until it is closed', async () => {
  await using own = await openRepository();
  await using emulator = startEmulator(['--repo', own.site]);
  await emulator.until(/^Press Ctrl/);
  const printed = (pattern: RegExp) =>
    emulator.feed.lines.find((line) => pattern.test(line))?.trim() ?? '';
  const run = (command: string) => runShell(command, { cwd: own.site });
  const pull = (await starterFile('workflows/preview.yml')).replace(
    'name: Preview',
    'name: "Pre\\ev\\u0007iew"',
  );
  await own.commit({
    'index.html': '<h1>Mine</h1>',
    '.github/site.yml': await starterFile('site.yml'),
    '.github/workflows/deploy.yml': await starterFile('workflows/deploy.yml'),
    '.github/workflows/preview.yml': pull,
  });
  await run(printed(/git push .* HEAD:main$/));
  expect(await emulator.until(/^Deploy \(run 1\): fake/)).toMatch(
    /which nothing was given for: secrets/,
  );
  expect(await emulator.until(/^Deploy \(run 1\): [^f]/)).toBe('Deploy (run 1): success');
  await own.commit({ 'index.html': '<h1>Changed</h1>' });
  await run(printed(/git push .* HEAD:topic$/));
  await run(printed(/curl --request POST .*\/pulls$/));
  expect(await emulator.until(/\(run 2\): [^f]/)).toMatch(/^Pre iew \(run 2\): success$/);
  await own.commit({ 'index.html': '<h1>Changed again</h1>' });
  await run(printed(/git push .* HEAD:topic$/));
  expect(await emulator.until(/\(run 3\)/)).toContain('success');
  await run(printed(/curl --request PATCH /));
  expect(await emulator.until(/\(run 4\)/)).toContain('success');
  const dispatch = printed(/curl .*\/dispatches$/);
  await run(dispatch);
  expect(await emulator.until(/\(run 5\)/)).toBe('Deploy (run 5): success');
  await run(dispatch.replace('deploy.yml', 'preview.yml'));
  await emulator.until(/preview\.yml: on: has no workflow_dispatch/);
  const text = emulator.feed.lines.join('\n');
  expect(text).toMatch(/^pull_request\.opened of 1\/merge \(\w{7}\): starts preview\.yml$/m);
  expect(text).toContain('Preview of #1 is live');
  expect(text).toMatch(/pr-1\.preview\.localhost is no longer assigned/);
  expect(text).toContain('▸ Run OWNER/site-deploy-action@v1');
  expect(text).not.toContain('api-key: ');
  expect(emulator.feed.lines.join('')).not.toMatch(/\p{Cc}/u);
  const gitHub = /GITHUB_SERVER_URL +(\S+)/.exec(text)?.[1];
  const log = `${gitHub}/${/\/repos\/([^/]+\/[^/]+)\//.exec(dispatch)?.[1]}/actions/runs/2/attempts/1`;
  const shown = await fetch(log);
  expect(new URL(shown.url).pathname).toBe('/runs/2');
  const page = await shown.text();
  expect(page).toMatch(/api-key: \*\*\*/);
  expect(page).toMatch(/<div class="body"><h2>[^<]*Preview of #\u200d?1 is live/);
  expect(page).toMatch(/Post Run OWNER\/site-deploy-action@v1/);
  const raw = await (await fetch(`${shown.url}/log.txt`)).text();
  expect(raw).toMatch(/api-key: \*\*\*[\s\S]*Preview of #1 is live/);
  expect((await fetch(log.replace('/runs/2', '/runs/9'))).status).toBe(404);
  const foreign = await sendTo(String(gitHub), 'GET', new URL(log).pathname, {
    headers: { host: 'attacker.example' },
  });
  expect(foreign.status).toBe(404);
  expect(await own.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
});

test.concurrent('the lines to paste set up an empty repository without a question, and name its deployments', async () => {
  await using own = await openRepository();
  await using emulator = startEmulator(['--repo', own.site]);
  await emulator.until(/^Press Ctrl/);
  const { lines } = emulator.feed;
  const first = lines.findIndex((line) => line.includes('paste this')) + 1;
  const block = lines.slice(first, lines.indexOf('', first)).join('\n');
  const command = `'${process.execPath}' '${join(root, 'npm/main.ts')}'`;
  const script = `${block} --yes\n  site-deploy status`.replaceAll('site-deploy', command);
  const { stdout } = await runShell(`set -e\n${script}`);
  expect(await readFile(join(own.site, '.github/workflows/preview.yml'), 'utf8')).toContain(
    'uses:',
  );
  expect(stdout).toContain('✓ live project: ');
  expect(stdout).toMatch(/^Previews\n {2}none$/m);
  const remote = lines.find((line) => line.includes('git remote add origin')) ?? '';
  await runShell(remote, { cwd: own.site });
  expect(await own.git('ls-remote', 'origin')).toBe('');
});

test.concurrent('a mistake in what --repo, --secrets or --vars name is told before anything is started', async () => {
  await using own = await openRepository();
  const file = join(own.site, 'values');
  await writeFile(file, 'GOOD=1\nbad line fake-secret\n');
  const refusals = [
    findRepository('repo', join(own.site, 'none')),
    findRepository('repo', tmpdir()),
    readValues('vars', join(own.site, 'none')),
    readValues('secrets', file),
  ].map((one) => one.catch((error: unknown) => error));
  const texts = (await Promise.all(refusals)).map((error) => {
    if (error instanceof UsageError) return error.message;
    throw new Error('not refused', { cause: error });
  });
  expect(texts).toEqual([
    expect.stringMatching(/^--repo: there is no folder /),
    expect.stringMatching(/^--repo: .* is not a git repository\. Run git init in it$/),
    expect.stringMatching(/^--vars: can't read the file /),
    expect.stringMatching(/values, line 2: /),
  ]);
  expect(texts.join()).not.toContain('fake-secret');
  const alone = ['scripts/emulator.ts', '--secrets', file];
  const running = runFile(process.execPath, alone, { cwd: root });
  await expect(running).rejects.toMatchObject({ code: 2, stderr: '--secrets needs --repo\n' });
});

const refusalOf = async (words: readonly string[]): Promise<string> => {
  const error: unknown = await play(words).catch((cause: unknown) => cause);
  if (error instanceof UsageError) return error.message;
  throw new Error(`not refused: ${words.join(' ')}`, { cause: error });
};

test.concurrent('npm run try --workflow plays a file once, with the commit that it is in', async () => {
  await using own = await openRepository();
  const files = {
    'deploy.yml': await starterFile('workflows/deploy.yml'),
    'preview.yml': await starterFile('workflows/preview.yml'),
    'elsewhere.yml': (await starterFile('workflows/deploy.yml')).replace(
      /base-url: .*/,
      'base-url: https://api.example.com',
    ),
    'partly.yml': `on: { workflow_dispatch: { inputs: { word: { default: full } } } }
jobs:
  a:
    runs-on: x
    steps:
      - { id: b, uses: a/b@v1 }
      - { run: "echo word \${{ inputs.word }}" }
      - { uses: o/site-deploy-action@v1, with: { config: "\${{ steps.b.outputs.file }}" } }
`,
    'broken.yml': 'on: push\njobs: { a: { runs-on: x, stepps: [] } }\n',
  };
  const named = Object.entries(files).map(([name, text]) => [`.github/workflows/${name}`, text]);
  const sha = await own.commit({
    'index.html': 'Mine',
    '.github/site.yml': await starterFile('site.yml'),
    ...Object.fromEntries(named),
  });
  const path = (name: string) => join(own.site, '.github/workflows', name);
  const workspace = ['--workspace', own.site];
  const deployed = await play(['--workflow', path('deploy.yml'), ...workspace]);
  expect(deployed.text).toContain(`commit ${sha}`);
  expect(deployed.text).toContain('Conclusion: success');
  const closing = ['--workflow', path('preview.yml'), '--event', 'pull_request.closed'];
  const closed = await play([...closing, ...workspace]);
  expect(closed.text).toMatch(/is live.*Then the pull request is closed.*no longer assigned/s);
  const away = await play(['--workflow', path('elsewhere.yml'), '--exit-code', ...workspace]);
  expect(away.text).toContain('api.example.com is not the emulator');
  expect(away.status).toBe(1);
  const byHand = ['--event', 'workflow_dispatch', '--run-steps', '--exit-code'];
  const partly = await play(['--workflow', path('partly.yml'), ...byHand, ...workspace]);
  expect(partly.text).toMatch(/word full.*Conclusion: neutral/s);
  const left = 'a: o/site-deploy-action@v1: the outputs of a/b@v1 (b) are unknown';
  expect(partly.text).toContain(`  Not played: ${left}`);
  expect(partly.status).toBe(1);
  const step = await play(['deploy', ...workspace]);
  expect(step.text).toContain(`commit ${sha}`);
  expect(step.text).toContain('Conclusion: success');

  const refused: [string[], string | RegExp][] = [
    [['--workflow', path('broken.yml')], /^broken\.yml, line 2: Unexpected value 'stepps'/],
    [['--workflow', path('preview.yml')], "preview.yml doesn't start: on: has no push"],
    [['--workflow', path('none.yml')], "can't read the file"],
    [
      ['--workflow', path('deploy.yml'), '--real', ...workspace],
      /secrets\.SITE_API_KEY, .* need a value/,
    ],
    [['--workflow', path('deploy.yml'), '--event', 'pul_request'], '"pull_request"'],
    [['--workflow', path('deploy.yml'), '--end', 'conflict'], "can't be used with --workflow"],
    [['--workflow', path('deploy.yml'), 'deploy'], 'remove "deploy"'],
    [['--workflw', 'x'], '"--workflow"'],
    [['deploy', '--secrets', 'x'], '--secrets needs --workflow'],
  ];
  for (const [words, expected] of refused) expect(await refusalOf(words)).toMatch(expected);
});
