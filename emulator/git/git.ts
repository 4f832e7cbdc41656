import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Settings of every git process of the emulator. Nothing may outlive it, so there is no background upkeep. */
const settings = {
  'core.autocrlf': 'false',
  'core.symlinks': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'receive.autogc': 'false',
} as const;

/**
 * The environment of a git process: this process's own without git's variables and without the user's settings.
 * @param extra more variables
 * @param more settings beside those of every git process here
 */
export function gitEnvironment(
  extra: Record<string, string> = {},
  more: Readonly<Record<string, string>> = {},
): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  const given = Object.entries({ ...settings, ...more });
  const environment: NodeJS.ProcessEnv = {
    ...Object.fromEntries(inherited),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_COUNT: String(given.length),
  };
  for (const [index, [name, value]] of given.entries()) {
    environment[`GIT_CONFIG_KEY_${index}`] = name;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  }
  return { ...environment, ...extra };
}

/**
 * Runs git and gives what it printed, without the last line's end.
 * @param options.input what it reads
 * @throws if git is not installed or exits with a status other than 0
 */
export async function git(
  args: readonly string[],
  options: { env?: Record<string, string>; signal?: AbortSignal; input?: string } = {},
): Promise<string> {
  const running = run('git', args, {
    env: gitEnvironment(options.env),
    windowsHide: true,
    // A list of commits is as long as a repository's history.
    maxBuffer: Number.POSITIVE_INFINITY,
    ...(options.signal && { signal: options.signal }),
  });
  // It may end before it has read everything.
  running.child.stdin?.on('error', () => undefined).end(options.input);
  const { stdout } = await running;
  return stdout.trimEnd();
}
