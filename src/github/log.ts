import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Coded, reword } from '../kernel/catalogue/coded.ts';
import { defuse } from '../kernel/text/clean.ts';
import { cut } from '../kernel/text/cut.ts';
import type { Redact } from '../kernel/text/redact.ts';
import type { LogEntry } from '../report/log-entry.ts';
import * as commands from './commands.ts';

/** GitHub cuts an annotation's message here, in characters. */
const longestAnnotation = 4096;

/** The most characters of a code at the end, with the full stop before it. */
const longestCode = 10;

/** For how long lines may follow each other without a look at timers and signals, in milliseconds. */
const longestRush = 20;

/** The log of a step. Everything passes the redactor, and nothing in it can be read as a command. */
export interface Log {
  write(entry: LogEntry): void;
  /** A line, and an annotation that makes the run red. */
  error(title: string, message: Coded): void;
  /** Ends the group that is open, if one is: what follows must not be folded away. */
  endGroup(): void;
  /** Resolves once standard output has room and timers and signals had their turn, or the signal aborts. */
  drained(signal: AbortSignal): Promise<void>;
}

/** Makes the log of this process's standard output. */
export function createLog(redact: Redact): Log {
  const safe = (text: string) => defuse(redact(text));
  const annotation = (text: string) => cut(safe(text), longestAnnotation);
  const message = (text: Coded<string>) =>
    reword(text, (words) => cut(safe(words), longestAnnotation - longestCode));
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
  const writers: Readonly<Record<Exclude<LogEntry['kind'], 'warning'>, (text: string) => void>> = {
    line: (text) => commands.printLine(safe(text)),
    'build-log': (text) => commands.printLine(`  │ ${safe(text)}`),
    group: (text) => startGroup(safe(text)),
    'group-end': endGroup,
    notice: (text) => commands.annotate('notice', annotation(text)),
  };
  // Not a time yet: to ask for one loads a module of Node's, which the first lines can do without.
  let lastTurn = Number.NEGATIVE_INFINITY;
  return {
    write: (entry) => {
      if (entry.kind === 'warning') commands.annotate('warning', message(entry.text));
      else writers[entry.kind](entry.text);
    },
    endGroup,
    error: (title, text) => {
      endGroup();
      commands.annotate('error', message(text), safe(title));
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
