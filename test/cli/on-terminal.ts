import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

// Util-linux's `script` gives a command a terminal.
export const hasTerminals: boolean =
  process.platform === 'linux' && spawnSync('script', ['--version']).status === 0;

/** What a person types once they see something. */
export interface Typed {
  to: string;
  typed: string;
}

/** Runs a command on a terminal, and types answers, each once its question is there after the one before. */
export async function onTerminal(
  command: string,
  env: Record<string, string>,
  answers: readonly Typed[],
  typedFirst = '',
): Promise<{ status: number | null; output: string }> {
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { ...env, TERM: 'xterm' },
  });
  child.stdin.write(typedFirst);
  const left = [...answers];
  let output = '';
  let from = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    const [next] = left;
    const index = next === undefined ? -1 : output.indexOf(next.to, from);
    if (next === undefined || index < 0) return;
    from = index + next.to.length;
    left.shift();
    child.stdin.write(next.typed);
  });
  const [status] = await once(child, 'close');
  return { status, output };
}
