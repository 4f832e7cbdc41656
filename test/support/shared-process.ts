import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import {
  collectOutput,
  type Launch,
  type ProcessEnd,
  type ProcessOptions,
  type RunningProcess,
  startProcess,
} from '../../emulator/runner/process.ts';
import { checkLog } from './messages.ts';
import { compiled, unpacked } from './places.ts';
import { checkOutputs } from './results.ts';

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
/** Those that wait for a script, the one that rested last at the end. */
const idle = new Set<SharedProcess>();
/** Who waits for one of them, the longest first. */
const waiting: ((shared: SharedProcess) => void)[] = [];
let living = 0;
/** How many there are for all tests of a worker: each has to load `dist/` and to warm up. */
const enough = 2;
/** How long a script waits for one, in milliseconds, before it gets another: what runs may wait for this very script. */
const patience = 5000;

/** Room for young objects: in the little that one run needs, V8 would collect them all the time. */
const roomy = ['--min-semi-space-size=16', '--initial-old-space-size=256'];

/** Checks the errors, warnings and outputs of a step of ours that ended by itself. */
function checkStep(
  { script, env }: Pick<ScriptRun, 'script' | 'env'>,
  { signal, stdout }: ProcessEnd,
) {
  if (!script.startsWith(`${dist}${sep}`) || signal !== null) return;
  try {
    checkLog(stdout);
    const written = readFileSync(env['GITHUB_OUTPUT'] ?? '', 'utf8');
    if (written !== '') checkOutputs(written);
  } catch (error) {
    // To whom it is thrown, the step failed, which a test may expect.
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** A process that runs one script after the other. It ends when this process does. */
class SharedProcess {
  readonly #child: ChildProcess;
  #output = { stdout: new PassThrough(), stderr: new PassThrough() };
  #ended: (exitCode: number | null) => void = () => undefined;
  #freed: () => void = () => undefined;

  constructor() {
    living += 1;
    const child = spawn(process.execPath, [...roomy, main], {
      env: { ...process.env, NODE_COMPILE_CACHE: compiled },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    child.on('message', (said: Message) => {
      if (said === 'free') this.#freed();
      else this.#ended(said.exitCode);
    });
    child.once('close', () => {
      living -= 1;
      idle.delete(this);
      this.#ended(child.exitCode);
      if (living < enough) waiting.shift()?.(new SharedProcess());
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
    const freed = new Promise<void>((resolve) => {
      this.#freed = resolve;
    });
    this.#child.send(script);
    const exitCode = await ended;
    await Promise.all(silent);
    // What it says may overtake what it prints, which would then be taken for the output of the next script.
    void freed.then(() => offer(this));
    const end = { exitCode, signal: this.#child.signalCode, ...output.finish() };
    checkStep(script, end);
    return end;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

/** Lets a process run what waits, or rest. */
function offer(shared: SharedProcess): void {
  const next = waiting.shift();
  if (next === undefined) idle.add(shared);
  else next(shared);
}

/** A process for a script: the one that rested last has run the most, and V8 has compiled the most for it. */
function claim(): Promise<SharedProcess> {
  const { promise, resolve } = Promise.withResolvers<SharedProcess>();
  const rested = [...idle].at(-1);
  if (rested !== undefined) {
    idle.delete(rested);
    resolve(rested);
  } else if (living < enough) resolve(new SharedProcess());
  else {
    waiting.push(resolve);
    setTimeout(() => {
      const place = waiting.indexOf(resolve);
      if (place === -1) return;
      waiting.splice(place, 1);
      resolve(new SharedProcess());
    }, patience).unref();
  }
  return promise;
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
  let isOver = false;
  let shared: SharedProcess | undefined;
  const run = async (): Promise<ProcessEnd> => {
    const claimed = await claim();
    if (isOver) {
      offer(claimed);
      return { exitCode: null, signal: 'SIGKILL', stdout: '', stderr: '' };
    }
    shared = claimed;
    return await claimed.run({ script, cwd, env }, onLine);
  };
  const ended = run().finally(() => {
    isOver = true;
  });
  const kill = () => {
    if (isOver) return;
    if (shared === undefined) isOver = true;
    else shared.kill();
  };
  return { ended, kill, cancel: async () => kill() };
}

/**
 * Starts a step that is watched, cancelled or killed: its main script in a process of its own, which finds what others
 * compiled, and what comes before and after it as {@link shareProcess} does.
 */
export const startWatched: Launch = (options, part) => {
  if (part !== 'main') return shareProcess(options);
  const { args, env } = options;
  const step = startProcess({
    ...options,
    args: [...roomy, ...args],
    env: { NODE_COMPILE_CACHE: compiled, ...env },
  });
  const ended = step.ended.then((end) => {
    checkStep({ script: args.at(-1) ?? '', env }, end);
    return end;
  });
  return { ...step, ended };
};
