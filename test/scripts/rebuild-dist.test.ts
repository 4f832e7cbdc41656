// Attack (starting): A bad dependency fills the artifact of `rebuild-dist.yml` with a repository whose settings `git
// add` would run
// Defense: Everything but plain files, and everything that begins with `.git`, is removed first

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, mkdtempDisposable, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { root } from '../support/places.ts';

const run = promisify(execFile);

interface Step {
  run?: string;
  uses?: string;
}

/** The lines of the job that may write, in two parts: before the artifact is there, and after. */
function linesOfPush(): [before: string, after: string] {
  const file = join(root, '.github/workflows/rebuild-dist.yml');
  const { jobs } = parse(readFileSync(file, 'utf8')) as { jobs: { push: { steps: Step[] } } };
  const { steps } = jobs.push;
  const at = steps.findIndex(({ uses = '' }) => uses.startsWith('actions/download-artifact@'));
  const lines = (some: readonly Step[]) => some.flatMap(({ run: text = [] }) => text).join('\n');
  return [lines(steps.slice(0, at)), lines(steps.slice(at + 1))];
}

/** What a bad dependency may have put in the artifact beside the code, each as it is made in `dist/`. */
const hostile: Readonly<Record<string, (dist: string, mark: string) => Promise<unknown>>> = {
  'a repository whose settings run something': async (dist, mark) => {
    await run('git', ['-C', dist, 'init', '--quiet']);
    await run('git', ['-C', dist, 'add', 'index.js']);
    const names = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    await run('git', ['-C', dist, ...names, 'commit', '--quiet', '--message', 'inner']);
    await run('git', ['-C', dist, 'config', 'core.fsmonitor', `touch ${mark}; false`]);
  },
  'a repository in a folder below': async (dist, mark) => {
    const inner = join(dist, 'inner');
    await mkdir(inner);
    await writeFile(join(inner, 'index.js'), 'inner');
    await hostile['a repository whose settings run something']?.(inner, mark);
  },
  'the address of a repository elsewhere': (dist) =>
    writeFile(join(dist, '.git'), 'gitdir: ../.git\n'),
  "settings of git's": async (dist) => {
    await writeFile(join(dist, '.gitattributes'), '* filter=lfs\n');
    await writeFile(join(dist, '.gitignore'), 'index.js\n');
    await writeFile(join(dist, '.GitModules'), '');
  },
  'a link': (dist) => symlink('../.git/config', join(dist, 'link.js')),
};

// The job runs on Linux.
test.skipIf(process.platform === 'win32').each(Object.keys(hostile))(
  'rebuild-dist.yml takes code alone from an artifact that has %s (Linux, as the job)',
  async (name) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'rebuild-dist-'));
    const [origin, work, bin, mark] = ['origin.git', 'work', 'bin', 'mark'].map((one) =>
      join(folder.path, one),
    ) as [string, string, string, string];
    const dist = join(work, 'dist');
    await run('git', ['init', '--quiet', '--bare', '--initial-branch=main', origin]);
    await run('git', ['clone', '--quiet', origin, work]);
    await mkdir(dist);
    await mkdir(bin);
    await writeFile(join(dist, 'index.js'), 'old');
    // The runner's own program, which asks GitHub.
    await writeFile(join(bin, 'gh'), '#!/bin/sh\n');
    await chmod(join(bin, 'gh'), 0o755);
    const env = {
      ...process.env,
      PATH: `${bin}${delimiter}${process.env['PATH']}`,
      HOME: folder.path,
      BRANCH: 'bump',
      GIT_CONFIG_NOSYSTEM: '1',
    };
    const play = (lines: string) => run('bash', ['-e', '-c', lines], { cwd: work, env });
    const names = '-c user.name=a -c user.email=a@example.com';
    await play(`git add . && git ${names} commit --quiet --message 'Begin'`);

    const [before, after] = linesOfPush();
    await play(before);
    await mkdir(dist, { recursive: true });
    await writeFile(join(dist, 'index.js'), 'new');
    await hostile[name]?.(dist, mark);
    await play(after);

    expect(existsSync(mark)).toBe(false);
    const tree = await play('git ls-tree -r "origin/$BRANCH"');
    const entries = tree.stdout.trim().split('\n');
    expect(entries.every((line) => /^100644 blob \S+\tdist\/(inner\/)?index\.js$/.test(line))).toBe(
      true,
    );
    expect((await play('git show "origin/$BRANCH:dist/index.js"')).stdout).toBe('new');
  },
);
