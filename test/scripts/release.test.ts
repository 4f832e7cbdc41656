import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { startEmulator } from '../../src/emulator/index.ts';
import { startAction } from '../../src/emulator/runner.ts';
import { root } from '../dist/run-step.ts';
import { checkOutAll, unpack } from '../support/download.ts';

const folder = mkdtempSync(join(tmpdir(), 'release-'));
const [source, runner] = [join(folder, 'source'), join(folder, 'runner')];
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const inSource = (file: string, ...args: string[]) =>
  execFileSync(file, args, { cwd: source, encoding: 'utf8' });
const script = (...args: string[]) =>
  inSource(process.execPath, 'scripts/release.ts', ...args).trim();
const read = (file: string) => readFileSync(join(source, file), 'utf8');

/** What .github/workflows/release.yml does, but for what it tells GitHub. */
function rehearse() {
  mkdirSync(source);
  checkOutAll(source);
  inSource('git', 'init', '--quiet');
  inSource('git', 'config', 'user.name', 'Ada');
  inSource('git', 'config', 'user.email', 'ada@example.invalid');
  script('prepare', '1.0.0');
  const version = script('version');
  script('owner', 'octo-org');
  inSource('git', 'add', '--all');
  inSource('git', 'commit', '--quiet', '--message', 'Release 1.0.0');
  inSource('git', 'tag', 'v1.0.0');
  writeFileSync(join(folder, 'figures.md'), '| row | × |\n| --- | --- |\n| deploy | 2.5 |\n');
  script('pack', 'v1.0.0', join(folder, 'figures.md'));
  mkdirSync(runner);
  const archive = join(source, 'build/release/site-deploy-action-1.0.0.tar.gz');
  unpack(gunzipSync(readFileSync(archive)), runner);
  return version;
}

const version = rehearse();
const workflow = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8');

test('the workflow does what is rehearsed here', () => {
  const commands = [...workflow.matchAll(/scripts\/release\.ts (\w+)/g)].map(([, name]) => name);
  expect(commands).toEqual(['version', 'version', 'owner', 'pack']);
});

test('the version stands everywhere, and the pages name the account', () => {
  expect(version).toBe('version=1.0.0\nmajor=v1');
  expect(JSON.parse(read('package.json'))).toMatchObject({ version: '1.0.0' });
  expect(JSON.parse(read('package-lock.json'))).toMatchObject({ version: '1.0.0' });
  expect(read('src/run/version.ts')).toContain("'1.0.0'");
  const pages = globSync(['README.md', 'docs/**/*.md', 'examples/**/*.yml'], { cwd: source });
  for (const page of pages) expect(read(page), page).not.toContain('OWNER/');
  expect(read('README.md')).toContain('uses: octo-org/site-deploy-action@v1');
  expect(read('README.md')).toMatch(/^`v1` is a tag/m);
});

test('the notes tell what changed, the sizes and the figures, and the digests are true', () => {
  const notes = read('build/release/notes.md');
  expect(notes).toMatch(/^- /);
  expect(notes).toMatch(/what a runner downloads, compressed \| \d+ kB/);
  expect(notes).toContain('| deploy | 2.5 |');
  const lines = read('build/release/checksums.txt').trim().split('\n');
  for (const line of lines) {
    const [digest = '', name = ''] = line.split('  ');
    const path = join(source, name.startsWith('dist/') ? '' : 'build/release', name);
    expect(createHash('sha256').update(readFileSync(path)).digest('hex'), name).toBe(digest);
  }
  const dist = globSync('dist/*', { cwd: source }).map((file) => file.replaceAll('\\', '/'));
  expect(lines.map((line) => line.split('  ')[1])).toEqual(expect.arrayContaining(dist));
});

test('the archive holds dist/ as it is here, to the byte', () => {
  const files = globSync('dist/*', { cwd: root }).toSorted();
  expect(globSync('dist/*', { cwd: runner }).toSorted()).toEqual(files);
  for (const file of files) {
    expect(readFileSync(join(runner, file)).equals(readFileSync(join(root, file))), file).toBe(
      true,
    );
  }
});

describe('what is refused leaves everything as it was', () => {
  /** What a command says that fails. */
  const refusal = (...args: string[]) => {
    const options = { cwd: source, encoding: 'utf8' } as const;
    const { status, stderr } = spawnSync(
      process.execPath,
      ['scripts/release.ts', ...args],
      options,
    );
    expect(status).toBe(1);
    return stderr;
  };
  const changed = () => inSource('git', 'status', '--porcelain', '--untracked-files=all').trim();

  test.each([
    ['what was released', '1.0.0', 'nothing under "Unreleased"'],
    ['a version whose moving tag no page names', '2.0.0', 'The pages use @v1'],
  ])('%s', (_, wanted, words) => {
    expect(refusal('prepare', wanted)).toContain(words);
    expect(changed()).toBe('');
  });

  test.each([
    ['a file is changed', 'dist/index.js'],
    ['a file is there that the commit lacks', 'dist/more.js'],
  ])('to pack a commit while %s', (_, file) => {
    writeFileSync(join(source, file), 'changed');
    const words = refusal('pack', 'v1.0.0', join(folder, 'figures.md'));
    inSource('git', 'checkout', '--quiet', '--', 'dist');
    inSource('git', 'clean', '--quiet', '--force', 'dist');
    expect(words).toContain(`v1.0.0 is not what is in the working tree: ${file}`);
  });

  test.each([
    ['package.json', '"version": "1.0.0"'],
    ['package-lock.json', '"version": "1.0.0"'],
    ['src/run/version.ts', "'1.0.0'"],
  ])('a release of which %s knows nothing', (file, written) => {
    const text = read(file);
    writeFileSync(join(source, file), text.replace(written, written.replace('1.0.0', '0.9.0')));
    const words = refusal('version');
    writeFileSync(join(source, file), text);
    expect(words).toContain(`${file} says 0.9.0, and CHANGELOG.md 1.0.0`);
  });
});

const step = z.object({ name: z.string().optional(), run: z.string().optional() });
const { jobs } = z
  .object({ jobs: z.record(z.string(), z.object({ steps: z.array(step) })) })
  .parse(parse(workflow));

describe.skipIf(process.platform === 'win32')(
  'the first step (in a shell of Linux or macOS)',
  () => {
    /** Runs it beside a remote repository, without GitHub's own command. */
    const run = (remote: string) => {
      const script =
        jobs['check']?.steps.find(({ name }) => name?.startsWith('Stop if'))?.run ?? '';
      expect(script).not.toBe('');
      const programs = mkdtempSync(join(folder, 'programs-'));
      writeFileSync(join(programs, 'gh'), '#!/bin/sh\n', { mode: 0o755 });
      inSource('git', 'config', 'remote.origin.url', remote);
      const PATH = [programs, process.env['PATH']].join(delimiter);
      const options = {
        cwd: source,
        encoding: 'utf8',
        env: { ...process.env, PATH, RUNNER_TEMP: folder },
      } as const;
      return spawnSync('bash', ['-e', '-c', script], options);
    };

    test('lets a version pass that has no tag', () => {
      const empty = mkdtempSync(join(folder, 'empty-'));
      inSource('git', 'init', '--quiet', '--bare', empty);
      expect(run(empty)).toMatchObject({ status: 0 });
    });

    test.each([
      ['stops at one that was released', () => source, 'v1.0.0 is released'],
      ['stops if nobody can tell', () => join(folder, 'nowhere'), 'cannot be asked'],
    ])('%s', (_, remote, words) => {
      const { status, stdout } = run(remote());
      expect(stdout).toContain(words);
      expect(status).toBe(1);
    });
  },
);

test.each<[folder: string, outcome: string, inputs?: Record<string, string>]>([
  ['.', 'succeeded', { env: 'A=b' }],
  ['env-sync', 'synced', { env: 'A=b' }],
  ['domains', 'synced', { check: 'example.com', config: '' }],
  ['message', 'succeeded', { content: 'Make it blue.' }],
  ['projects', 'succeeded'],
])('what a runner downloads runs by itself: %s', async (action, outcome, inputs = {}) => {
  await using emulator = await startEmulator({ dialect: { buildMs: 0 } });
  const project = await emulator.world.createProject();
  const result = await startAction({
    action: join(runner, action),
    event: { name: 'push', payload: { ref: 'refs/heads/main', after: await project.head() } },
    inputs: {
      'api-key': emulator.key,
      'base-url': emulator.url,
      ...(action === 'projects' ? {} : { 'project-id': project.id }),
      ...(action === '.' ? { 'github-deployment': 'false' } : {}),
      ...inputs,
    },
  }).done;
  expect(result.outputs, result.log.join('\n')).toMatchObject({ outcome, error: '' });
  expect(result.conclusion).toBe('success');
});
