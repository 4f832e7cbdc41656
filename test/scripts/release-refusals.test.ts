import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { rehearse, workflow } from './rehearsal.ts';

const { folder, source, figures, inSource, read, remove } = rehearse();
afterAll(remove);

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
    const words = refusal('pack', 'v1.0.0', figures);
    inSource('git', 'checkout', '--quiet', '--', 'dist');
    inSource('git', 'clean', '--quiet', '--force', 'dist');
    expect(words).toContain(`The working tree differs from v1.0.0: ${file}`);
  });

  test.each([
    ['package.json', '"version": "1.0.0"'],
    ['package-lock.json', '"version": "1.0.0"'],
    ['npm/package.json', '"version": "1.0.0"'],
    ['src/step/version.ts', "'1.0.0'"],
  ])('a release of which %s knows nothing', (file, written) => {
    const text = read(file);
    writeFileSync(join(source, file), text.replace(written, written.replace('1.0.0', '0.9.0')));
    const words = refusal('version');
    writeFileSync(join(source, file), text);
    expect(words).toContain(`${file} has 0.9.0, but CHANGELOG.md has 1.0.0`);
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

    test('stops if the version is not whole', () => {
      const text = read('package.json');
      writeFileSync(join(source, 'package.json'), text.replace('"1.0.0"', '"0.9.0"'));
      const { status, stderr } = run(source);
      writeFileSync(join(source, 'package.json'), text);
      expect(stderr).toContain('package.json has 0.9.0');
      expect(status).toBe(1);
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
