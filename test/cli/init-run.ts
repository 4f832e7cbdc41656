import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The indented lines at the end of a run of `init`: the commands to run next. */
export const commandsIn = (stdout: string): string[] =>
  stdout.split('\n').flatMap((line) => (/^ {2}(?=gh |git )/.test(line) ? [line.trim()] : []));

/**
 * Runs the commands of `gh` in a shell, with a `gh` that only prints its arguments.
 *
 * @returns the names of the secrets, and the variables
 */
export async function readSetCommands(
  commands: readonly string[],
): Promise<{ secrets: string[]; vars: Record<string, string> }> {
  const gh = `gh() { printf '%s\\0' "$@"; printf '\\n'; }`;
  const lines = commands.filter((line) => line.startsWith('gh '));
  const { stdout } = await promisify(execFile)('sh', ['-c', [gh, ...lines].join('\n')]);
  const calls = stdout.split('\0\n').map((line) => line.split('\0'));
  const secrets: string[] = [];
  const vars: Record<string, string> = {};
  for (const [kind, , name = '', ...options] of calls) {
    if (kind === 'secret') secrets.push(name);
    const body = options.indexOf('--body');
    if (kind === 'variable') vars[name] = options[body + 1] ?? '';
  }
  return { secrets, vars };
}
