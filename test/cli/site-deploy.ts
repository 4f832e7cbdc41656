import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { bundleCommand } from '../../scripts/bundle-command.ts';

/** What a run of the command line left. */
export interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** The variables that a machine has by itself. */
const ofMachine = Object.fromEntries(
  ['PATH', 'TMPDIR', 'HOME', 'SystemRoot'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  }),
);

let bundling: Promise<string> | undefined;

/** The script of the command line, bundled once for each process of tests. */
export function bundled(): Promise<string> {
  bundling ??= (async () => {
    const folder = mkdtempSync(join(tmpdir(), 'command-'));
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    await bundleCommand(folder);
    return join(folder, 'code/main.js');
  })();
  return bundling;
}

/** How the command line is run. */
export interface Options {
  /** Its environment, beside what a machine has by itself. */
  env?: Readonly<Record<string, string>>;
  folder?: string;
  input?: string;
  /** True if nobody reads its standard output. */
  isUnread?: boolean;
  /** Called once it runs. */
  onStart?: (pid: number) => void;
  /** The script, if it is not bundled from the sources. */
  script?: string;
}

/** Runs the command line to its end. */
export async function siteDeploy(
  args: readonly string[],
  { env, folder, input = '', isUnread = false, onStart, script }: Options = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [script ?? (await bundled()), ...args], {
    cwd: folder,
    env: { ...ofMachine, ...env },
  });
  if (child.pid !== undefined) onStart?.(child.pid);
  child.stdin.end(input);
  if (isUnread) child.stdout.destroy();
  const all = Promise.all([
    isUnread ? '' : text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  const [stdout, stderr, [status]] = await all;
  return { status, stdout, stderr };
}
