import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { root } from '../dist/run-step.ts';
import { checkOutAll, unpack } from '../support/download.ts';

/** The workflow that releases. */
export const workflow = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8');

/** What {@link workflow} does, but for what it tells GitHub: a release 1.0.0 of a copy of this repository. */
export function rehearse() {
  const folder = mkdtempSync(join(tmpdir(), 'release-'));
  const [source, runner] = [join(folder, 'source'), join(folder, 'runner')];
  const inSource = (file: string, ...args: string[]) =>
    execFileSync(file, args, { cwd: source, encoding: 'utf8' });
  const script = (...args: string[]) =>
    inSource(process.execPath, 'scripts/release.ts', ...args).trim();
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
  const figures = join(folder, 'figures.md');
  writeFileSync(figures, '| row | × |\n| --- | --- |\n| deploy | 2.5 |\n');
  script('pack', 'v1.0.0', figures);
  mkdirSync(runner);
  const archive = join(source, 'build/release/site-deploy-action-1.0.0.tar.gz');
  unpack(gunzipSync(readFileSync(archive)), runner);
  return {
    folder,
    /** The copy, released. */
    source,
    /** What a runner would have downloaded. */
    runner,
    /** What the workflow was told of the version. */
    version,
    /** The file with what was measured. */
    figures,
    inSource,
    read: (file: string) => readFileSync(join(source, file), 'utf8'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
