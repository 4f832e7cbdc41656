import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { bundleCommand } from '../../scripts/bundle-command.ts';
import * as command from '../../src/cli/site-deploy.ts';
import { readResult } from '../support/results.ts';

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

/** What a person sees, and types then. */
interface Asked {
  sees: string;
  types: () => string;
}

/** How the command line is run. */
export interface Options {
  /** Its environment, beside what a machine has by itself. */
  env?: Readonly<Record<string, string>>;
  folder?: string;
  input?: string;
  /** What a person at a terminal sees and types then, one after the other. Default: there is no terminal. */
  atTerminal?: Asked | readonly Asked[];
  isInContainer?: boolean;
}

/** How the command line is run as a process. */
export interface ProcessOptions extends Omit<Options, 'atTerminal' | 'isInContainer'> {
  /** True if nobody reads its standard output. */
  isUnread?: boolean;
  /** The script, if it is not bundled from the sources. */
  script?: string;
}

/** A stream in place of one of the process. */
const standIn = (isTTY: boolean) => Object.assign(new PassThrough(), { isTTY });

/** Types what a person types, once they see what it is typed at. */
function type(input: PassThrough, output: PassThrough, asked: NonNullable<Options['atTerminal']>) {
  const left = [asked].flat();
  let seen = '';
  let from = 0;
  output.on('data', (chunk: Buffer) => {
    seen += chunk.toString();
    const [next] = left;
    const index = next === undefined ? -1 : seen.indexOf(next.sees, from);
    if (next === undefined || index < 0) return;
    from = index + next.sees.length;
    left.shift();
    input.write(next.types());
  });
}

/** Runs the command line to its end, in this process. The result that it prints is held against its schema. */
export async function siteDeploy(
  args: readonly string[],
  { env, folder = process.cwd(), input = '', atTerminal, isInContainer = false }: Options = {},
): Promise<Ran> {
  const isTerminal = atTerminal !== undefined;
  const stdin = standIn(isTerminal);
  const stdout = standIn(isTerminal);
  const stderr = standIn(isTerminal);
  if (isTerminal) type(stdin, stdout, atTerminal);
  else stdin.end(input);
  const shown = Promise.all([text(stdout), text(stderr)]);
  const environment = { ...ofMachine, ...(isTerminal && { TERM: 'xterm' }), ...env };
  const status = await command
    .siteDeploy(args, {
      ...{ environment, folder, isInContainer, stdin, stdout, stderr },
      emulator: () => Promise.reject(new Error('the emulator is not started here')),
    })
    .finally(() => {
      stdout.end();
      stderr.end();
    });
  const [printed, told] = await shown;
  if (args.includes('--json')) readResult(printed);
  return { status, stdout: printed, stderr: told };
}

/** The same in a process of its own. */
export async function siteDeployProcess(
  args: readonly string[],
  { env, folder, input = '', isUnread = false, script }: ProcessOptions = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [script ?? (await bundled()), ...args], {
    cwd: folder,
    env: { ...ofMachine, ...env },
  });
  child.stdin.end(input);
  if (isUnread) child.stdout.destroy();
  const all = Promise.all([
    isUnread ? '' : text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  const [stdout, stderr, [status]] = await all;
  if (args.includes('--json') && !isUnread) readResult(stdout);
  return { status, stdout, stderr };
}
