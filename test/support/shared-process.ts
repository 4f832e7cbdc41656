import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, sep } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import {
  collectOutput,
  type ProcessEnd,
  type ProcessOptions,
  type RunningProcess,
  startProcess,
} from '../../src/emulator/runner/process.ts';
import { checkLog } from './messages.ts';
import { unpacked } from './places.ts';

/** A script that a shared process is to run. */
export interface ScriptRun {
  script: string;
  cwd: string;
  env: Readonly<Record<string, string>>;
}

/** What a shared process says: that a script ended, and then that the next one may come. */
export type Message = { exitCode: number } | 'free';

/** What follows the output of each run: a byte that no text in UTF-8 has. */
export const endOfOutput: Uint8Array = Uint8Array.of(0xff);

const dist = join(unpacked, 'dist');
const main = fileURLToPath(new URL('shared-process-main.ts', import.meta.url));
const idle = new Set<SharedProcess>();
/**
 * Where Node keeps what it compiled for the next of these processes, until the next build. It is the same code:
 * Node compiles anew what is not of the same text and the same version. What starts a process of its own, as the
 * runner does, has no such folder, so that the whole start is tried there.
 */
const compiled = fileURLToPath(new URL('../../build/compiled', import.meta.url));

/** True of a step of ours, whose errors and warnings are held against what they must be. */
const isOurs = (script: string): boolean => script.startsWith(`${dist}${sep}`);

/** A process that runs one script after the other. It ends when this process does. */
class SharedProcess {
  readonly #child: ChildProcess;
  #output = { stdout: new PassThrough(), stderr: new PassThrough() };
  #ended: (exitCode: number | null) => void = () => undefined;

  constructor() {
    const child = spawn(process.execPath, [main], {
      env: { ...process.env, NODE_COMPILE_CACHE: compiled },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    child.on('message', (said: Message) => {
      if (said === 'free') idle.add(this);
      else this.#ended(said.exitCode);
    });
    child.once('close', () => {
      idle.delete(this);
      this.#ended(child.exitCode);
    });
    for (const name of ['stdout', 'stderr'] as const) {
      child[name]?.on('data', (chunk: Buffer) => this.#take(name, chunk));
      child[name]?.once('close', () => this.#output[name].end());
    }
    this.#child = child;
  }

  #take(name: 'stdout' | 'stderr', chunk: Buffer): void {
    const end = chunk.indexOf(endOfOutput);
    const stream = this.#output[name];
    if (stream.writableEnded) return;
    if (end === -1) stream.write(chunk);
    else stream.end(chunk.subarray(0, end));
  }

  /** Runs a script to its end. */
  async run(script: ScriptRun, onLine: (line: string) => void): Promise<ProcessEnd> {
    this.#output = { stdout: new PassThrough(), stderr: new PassThrough() };
    const output = collectOutput(this.#output, onLine);
    const silent = Object.values(this.#output).map((stream) => once(stream, 'end'));
    const ended = new Promise<number | null>((resolve) => {
      this.#ended = resolve;
    });
    this.#child.send(script);
    const exitCode = await ended;
    await Promise.all(silent);
    const text = output.finish();
    if (isOurs(script.script)) checkLog(text.stdout);
    return { exitCode, signal: this.#child.signalCode, ...text };
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

/**
 * Runs a script in a process in which others ran before: most of what a run of `dist/` costs is to start Node and
 * to load the bundle. For runs to their end; a run that is watched, cancelled or killed has a process of its own,
 * and so has one that tells Node something by arguments or variables.
 */
export function shareProcess(options: ProcessOptions): RunningProcess {
  const { args, cwd, env, onLine } = options;
  const [script = '', ...more] = args;
  if (more.length > 0 || Object.keys(env).some((name) => name.startsWith('NODE_'))) {
    return startProcess(options);
  }
  const [shared = new SharedProcess()] = idle;
  idle.delete(shared);
  let isOver = false;
  const ended = shared.run({ script, cwd, env }, onLine).finally(() => {
    isOver = true;
  });
  const kill = () => {
    if (!isOver) shared.kill();
  };
  return { ended, kill, cancel: async () => kill() };
}
