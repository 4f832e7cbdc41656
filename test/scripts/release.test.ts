import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { startEmulator } from '../../emulator/index.ts';
import { startAction } from '../../emulator/runner.ts';
import { root } from '../dist/run-step.ts';
import { rehearse, workflow } from './rehearsal.ts';

const { folder, source, runner, version, inSource, read, remove } = rehearse();
afterAll(remove);

test('the workflow does what is rehearsed here', () => {
  expect(workflow).toMatch(/run: bash \.ci\/run\n +env:\n +EVERY_TOOL: true/);
  const commands = [...workflow.matchAll(/scripts\/release\.ts (\w+)/g)].map(([, name]) => name);
  expect(commands).toEqual(['version', 'owner', 'version', 'owner', 'pack', 'version']);
});

test('the version stands everywhere, and the pages name the account', () => {
  expect(version).toBe('version=1.0.0\nmajor=v1');
  expect(JSON.parse(read('package.json'))).toMatchObject({ version: '1.0.0' });
  expect(JSON.parse(read('package-lock.json'))).toMatchObject({ version: '1.0.0' });
  expect(JSON.parse(read('npm/package.json'))).toMatchObject({
    version: '1.0.0',
    repository: { url: 'git+https://github.com/octo-org/site-deploy-action.git' },
  });
  expect(read('src/step/version.ts')).toContain("'1.0.0'");
  for (const file of [
    'README.md',
    'docs/other-ci.md',
    'npm/README.md',
    'examples/jenkins/Jenkinsfile',
  ]) {
    expect(read(file).match(/site-deploy@[\d.]+/g), file).toContain('site-deploy@1.0.0');
  }
  const yaml = ['examples/**/*.yml', 'examples/starter/.github/**/*.yml'];
  const pages = globSync(['README.md', 'npm/README.md', 'docs/**/*.md', ...yaml], { cwd: source });
  for (const page of pages) expect(read(page), page).not.toContain('OWNER/');
  expect(read('README.md')).toContain('uses: octo-org/site-deploy-action@v1');
  expect(read('README.md')).toMatch(/^`v1` is a tag/m);
  // What the package writes into a repository.
  const module = pathToFileURL(join(source, 'src/cli/init/starter-source.ts')).href;
  const script = `import(${JSON.stringify(module)}).then(({ starterSource }) => console.log(starterSource()))`;
  const starter = execFileSync(process.execPath, ['--eval', script], { encoding: 'utf8' });
  expect(starter).toContain('uses: octo-org/site-deploy-action@v1');
  expect(starter).not.toContain('OWNER/');
});

test.skipIf(process.platform === 'win32')(
  'the commands of the README copy the starter, which names the account already',
  async () => {
    const [, commands = ''] = /```sh\n(git clone [\s\S]*?)```/.exec(read('README.md')) ?? [];
    const [, tag] = version.split('major=');
    inSource('git', 'tag', `${tag}`);
    // Only the tag has the account's name: a clone without it gets no files.
    inSource('git', 'symbolic-ref', 'HEAD', 'refs/heads/next');
    const mine = join(folder, 'my-site');
    mkdirSync(mine);
    const env = {
      ...process.env,
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: `url.${source}.insteadOf`,
      GIT_CONFIG_VALUE_0: 'https://github.com/octo-org/site-deploy-action',
    };
    execFileSync('sh', ['-ec', commands], { cwd: mine, env, stdio: 'pipe' });
    const copied = globSync('.github/**/*.yml', { cwd: mine });
    expect(copied).toHaveLength(5);
    for (const file of copied) {
      const text = readFileSync(join(mine, file), 'utf8');
      expect(text, file).toContain('octo-org/site-deploy-action');
      expect(text, file).not.toContain('OWNER');
    }
  },
);

test('the notes tell what changed, the sizes and the figures, and the digests are true', () => {
  const notes = read('build/release/notes.md');
  expect(notes).toMatch(/^- /);
  expect(notes).toMatch(/download of a runner, compressed \| \d+ kB/);
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
