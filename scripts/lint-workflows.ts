// Reads the workflows, each action.yml and the examples with zizmor at its strictest, and the workflows and the
// examples with actionlint and shellcheck.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { install, MissingTool, orSkip } from './tools.ts';

const workflows = globSync('.github/workflows/*.yml');
const examples = globSync(['examples/workflows/*.yml', 'examples/starter/.github/workflows/*.yml']);
const actions = globSync(['action.yml', '*/action.yml']);

/** What GitHub has, and actionlint does not know yet. */
const unknownToActionlint = ['unexpected key "queue" for "concurrency" section'];

/** Runs a tool. Gives whether it found nothing. */
function finds(file: string, args: readonly string[], cwd = '.'): boolean {
  const { status, error } = spawnSync(file, args, { cwd, stdio: 'inherit' });
  if (error) throw error;
  return status === 0;
}

function runZizmor(): boolean {
  const zizmor = install('zizmor');
  const always = [
    '--strict-collection',
    '--persona=auditor',
    '--offline',
    '--no-progress',
    '--quiet',
  ];
  const ours = finds(zizmor, [...always, ...workflows, ...actions]);
  const config = ['--config', '.github/zizmor-examples.yml'];
  return finds(zizmor, [...always, ...config, ...examples]) && ours;
}

/** Reads the examples where somebody who copies them has them: one of them calls another. */
function runActionlint(): boolean {
  const actionlint = install('actionlint');
  const ignored = unknownToActionlint.flatMap((message) => ['-ignore', message]);
  const options = ['-shellcheck', install('shellcheck'), ...ignored];
  const passes = ['examples/workflows', 'examples/starter/.github/workflows'].map((folder) => {
    using copied = mkdtempDisposableSync(join(tmpdir(), 'examples-'));
    mkdirSync(join(copied.path, '.git'));
    cpSync(folder, join(copied.path, '.github/workflows'), { recursive: true });
    return finds(actionlint, options, copied.path);
  });
  return finds(actionlint, options) && passes.every(Boolean);
}

/** Runs each check, also after one that has no tool, whose reason is told at the end. */
function runAll(checks: readonly (() => boolean)[]): number {
  let status = 0;
  let missing: MissingTool | undefined;
  for (const check of checks) {
    try {
      if (!check()) status = 1;
    } catch (error) {
      if (!(error instanceof MissingTool)) throw error;
      missing = error;
    }
  }
  if (status === 0 && missing !== undefined) throw missing;
  return status;
}

orSkip('The workflow check', () => runAll([runZizmor, runActionlint]));
