import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LogEntry } from '../core/report/lines.ts';
import { defuse } from '../core/text/clean.ts';
import { cut } from '../core/text/cut.ts';
import type { Redact } from '../core/text/redact.ts';
import type { SafeText } from '../core/text/safe.ts';
import * as commands from './commands.ts';

/** GitHub cuts an annotation's message here, in characters. */
const longestAnnotation = 4096;

/** For how long lines may follow each other without a look at timers and signals, in milliseconds. */
const longestRush = 20;

/** The log of a step. Everything passes the redactor, and nothing in it can be read as a command. */
export interface Log {
  write(entry: LogEntry): void;
  /** A line, and an annotation that makes the run red. */
  error(title: string, message: SafeText): void;
  /** Ends the group that is open, if one is: what follows must not be folded away. */
  endGroup(): void;
  /** Resolves once standard output has room and timers and signals had their turn, or the signal aborts. */
  drained(signal: AbortSignal): Promise<void>;
}

/** Makes the log of this process's standard output. */
export function createLog(redact: Redact): Log {
  const safe = (text: string) => defuse(redact(text));
  const annotation = (text: string) => cut(safe(text), longestAnnotation);
  let isGroupOpen = false;
  const endGroup = () => {
    if (isGroupOpen) commands.endGroup();
    isGroupOpen = false;
  };
  const startGroup = (title: string) => {
    endGroup();
    commands.startGroup(title);
    isGroupOpen = true;
  };
  const writers: Readonly<Record<LogEntry['kind'], (text: string) => void>> = {
    line: (text) => commands.printLine(safe(text)),
    'build-log': (text) => commands.printLine(`  │ ${safe(text)}`),
    group: (text) => startGroup(safe(text)),
    'group-end': endGroup,
    notice: (text) => commands.annotate('notice', annotation(text)),
    warning: (text) => commands.annotate('warning', annotation(text)),
  };
  // Not a time yet: to ask for one loads a module of Node's, which the first lines can do without.
  let lastTurn = Number.NEGATIVE_INFINITY;
  return {
    write: ({ kind, text }) => writers[kind](text),
    endGroup,
    error: (title, message) => {
      endGroup();
      commands.annotate('error', annotation(message), safe(title));
    },
    drained: async (signal) => {
      if (performance.now() - lastTurn >= longestRush) {
        await nextTurn();
        lastTurn = performance.now();
      }
      if (!process.stdout.writableNeedDrain || signal.aborted) return;
      await once(process.stdout, 'drain', { signal }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    },
  };
}
