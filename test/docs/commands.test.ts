import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtempDisposable, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startEmulator } from '../../emulator/index.ts';
import { parseDotenv } from '../../src/variables/model/source.ts';
import { inlineCommands, root, snippets } from './snippets.ts';

const read = (file: string) => readFileSync(join(root, file), 'utf8');
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('package.json')));

const isDotenv = (text: string) => /^[A-Z]+=/.test(text);
const blocks = snippets.filter(({ language }) => language === 'sh');
const lines = blocks
  .filter(({ text }) => !isDotenv(text))
  .flatMap(({ page, text }) =>
    text
      .split('\n')
      .map((line) => ({ page, command: line.replace(/ +#.*$/, '').trim() }))
      .filter(({ command }) => command !== ''),
  );
const inline = inlineCommands.map((command) => ({ page: 'a sentence', command }));
const all = [...lines, ...inline];

/** Who runs the commands of a kind, or why nobody can. */
const kinds: readonly (readonly [kind: RegExp, by: string])[] = [
  [/^npm run (try|emulator) -- /, 'of docs/trying-it.md by test/scripts/'],
  [/^npm (test|run [\w:]+|ci\b)/, 'its script is there'],
  [/^npx vitest run /, 'the reader'],
  [/^\.ci\/run$/, 'CI'],
  [/^(curl|cp) /, 'this file'],
  [
    /^(npm install --global --ignore-scripts )?site-deploy(@[\d.]+$| )/,
    'of docs/other-ci.md and the examples by test/cli/ and test/examples/',
  ],
  [
    /^(npm install --prefix|node node_modules\/site-deploy\/bin\.cjs init) /,
    'of the README by test/docs/other-ci.test.ts and test/cli/init.test.ts',
  ],
  [
    /^npm (pack$|install --global --ignore-scripts \.\/)/,
    'of docs/own-repository.md by test/scripts/package.test.ts',
  ],
  [/^git clone /, 'of the README by test/scripts/release.test.ts'],
  [/^(cd |gh )/, 'nobody: it needs GitHub'],
  [/^actions-sync /, 'nobody: it needs a GitHub Enterprise Server'],
];

const kindsOf = (command: string) => kinds.filter(([kind]) => kind.test(command));

test.each(all)('$command is a command that is known', ({ command }) => {
  expect(kindsOf(command)).not.toEqual([]);
});

test.each(all.filter(({ command }) => command.startsWith('npm run ')))(
  '$command names a script of package.json',
  ({ command }) => {
    const [, name = ''] = /^npm run ([\w:-]+)/.exec(command) ?? [];
    expect(Object.keys(scripts)).toContain(name);
  },
);

test('what is played is on the page whose commands are played, and the demo is played by CI', () => {
  const played = lines.filter(({ command }) => /^npm run (try|emulator)/.test(command));
  const [there, elsewhere] = [true, false].map((isThere) =>
    played
      .filter(({ page }) => (page === 'docs/trying-it.md') === isThere)
      .map(({ command }) => command),
  );
  expect(there).toEqual(expect.arrayContaining(elsewhere ?? []));
  expect(there).not.toEqual([]);
  expect(read('.ci/run')).toContain('npm run --silent demo');
});

test('the measurements that the page on benchmarks names are there', () => {
  const [block = ''] = blocks
    .filter(({ text }) => text.includes('npm run bench'))
    .map((one) => one.text);
  const named = [...block.matchAll(/some of: ([\w, -]+)/g)].flatMap(([, list = '']) =>
    list.split(', ').map((name) => name.trim().split(' ')[0] ?? ''),
  );
  expect(named.length).toBeGreaterThan(5);
  const [, list = ''] = /measurements[^{]*= \{\n([^}]+)\}/.exec(read('bench/run.ts')) ?? [];
  const known = [...list.matchAll(/^ {2}'?([\w-]+)/gm)].map(([, name]) => name);
  expect(known).toEqual(expect.arrayContaining(named));
});

test.each(blocks.filter(({ text }) => isDotenv(text)))(
  'the dotenv lines of $page are read as it says',
  ({ text }) => {
    const { entries, problems } = parseDotenv(text);
    expect(problems).toEqual([]);
    expect(entries.length).toBe(text.trim().split('\n').length);
  },
);

test.skipIf(process.platform === 'win32')('the README copies the starter', async () => {
  const copies = lines.filter(({ page, command }) => page === 'README.md' && /^cp /.test(command));
  await using folder = await mkdtempDisposable(join(tmpdir(), 'site-'));
  const mine = join(folder.path, 'my-site');
  await mkdir(mine);
  await symlink(root, join(folder.path, 'site-deploy-action'));
  const { command = '' } = copies[0] ?? {};
  await promisify(execFile)('sh', ['-c', command], { cwd: mine });
  const copied = (await readdir(mine, { recursive: true })).filter((file) => file.endsWith('.yml'));
  expect(copied.toSorted()).toEqual(
    globSync('.github/**/*.yml', { cwd: join(root, 'examples/starter') }).toSorted(),
  );
  expect(copied).toHaveLength(5);
});

describe.skipIf(process.platform === 'win32')('the requests of the pages', () => {
  const requests = [...new Set(all.map(({ command }) => command))].filter((one) =>
    one.startsWith('curl '),
  );

  test.each(requests)('%s succeeds', async (command) => {
    await using emulator = await startEmulator();
    const project = await emulator.world.createProject();
    const env = {
      ...process.env,
      KEY: emulator.key,
      BASE_URL: emulator.url,
      PROJECT_ID: project.id,
    };
    const shown = `${command} --silent --show-error --fail`;
    const { stdout } = await promisify(execFile)('sh', ['-c', shown], { env });
    const body = stdout.slice(stdout.search(/^[[{]/m));
    expect(JSON.parse(body)).toBeInstanceOf(Object);
    expect(body).toContain(command.includes('environment') ? 'variables' : project.id);
  });

  test('there are some', () => expect(requests.length).toBeGreaterThan(1));
});
