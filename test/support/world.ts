import {
  type DialectOptions,
  type EmulatedProject,
  type Emulator,
  startEmulator,
} from '../../emulator/index.ts';
import { diagnose, printed } from '../../src/kernel/diagnostic.ts';
import { createRedact, createSanitize } from '../../src/kernel/text/redact.ts';
import { unsafeText } from '../../src/kernel/text/safe.ts';
import { createClient } from '../../src/service/client.ts';
import {
  type Host,
  longestLine,
  longestText,
  type Progress,
  type Run,
  RunAborted,
} from '../../src/step/step.ts';
import { fastClock } from './fast-clock.ts';
import { checkMessage } from './messages.ts';
import { textOf } from './read-report.ts';

/** A local service with one project, and what a command needs to work on it. */
export interface World extends Run, AsyncDisposable {
  emulator: Emulator;
  project: EmulatedProject;
  /** What the command told, in order. */
  told: Progress[];
  /** Ends the run, as a signal or the deadline does. */
  abort(outcome: 'timed-out' | 'cancelled'): void;
}

/** What a world can be made with. */
export interface WorldOptions {
  dialect?: DialectOptions;
  /** Values that must never be told. */
  secrets?: readonly string[];
  /** Milliseconds until the run's deadline, by the fast clock. */
  timeout?: number;
}

/** Starts a local service with one project, with a clock that goes faster than the machine's. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const { dialect = {}, secrets = [], timeout = 20 * 60_000 } = options;
  const emulator = await startEmulator({ dialect });
  // Its repository is made when it is first asked for: most tests never do.
  const [project] = emulator.world.createProjects(1);
  if (project === undefined) throw new Error('no project was made');
  const controller = new AbortController();
  const { signal } = controller;
  const abort = (outcome: 'timed-out' | 'cancelled') =>
    controller.abort(
      new RunAborted(outcome, diagnose('SD9002', unsafeText(`The run is ${outcome}.`))),
    );
  const disposing = new AbortController();
  fastClock.sleep(timeout, disposing.signal).then(
    () => abort('timed-out'),
    () => undefined,
  );
  const redact = createRedact([emulator.key, ...secrets]);
  const cleanText = createSanitize(redact);
  const told: Progress[] = [];
  const host: Host = {
    report: (progress) => {
      if (progress.type === 'warning') checkMessage(printed(progress.diagnostic));
      told.push(progress);
    },
    drained: () => Promise.resolve(),
    signal,
    clock: fastClock,
    clean: cleanText,
    cleanLine: createSanitize(redact, longestLine),
    cleanText: createSanitize(redact, longestText),
    random: () => 0.5,
  };
  const client = createClient({
    baseUrl: emulator.url,
    apiKey: emulator.key,
    userAgent: 'test',
    clean: cleanText,
    clock: fastClock,
    deadline: fastClock.now() + timeout,
    random: host.random,
    signal,
  });
  return {
    emulator,
    project,
    client,
    host,
    keyFor: (operation, target) => `${operation} ${target}`.slice(0, 128),
    started: fastClock.now(),
    told,
    abort,
    [Symbol.asyncDispose]: async () => {
      disposing.abort();
      await client.close();
      await emulator.close();
    },
  };
}

/** The lines of the log that a command hands over as such; none of progress of another kind. */
export const linesIn = (progress: Progress): string =>
  progress.type === 'lines' ? progress.entries.map(textOf).join('\n') : '';
