import { once } from 'node:events';
import { EOL } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Diagnostic, printed, reword } from '../kernel/diagnostic.ts';
import { defuse } from '../kernel/text/clean.ts';
import { cut } from '../kernel/text/cut.ts';
import type { Redact } from '../kernel/text/redact.ts';
import type { LogEntry } from '../report/log-entry.ts';

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
  error(title: string, diagnostic: Diagnostic): void;
  /** Ends the group that is open, if one is: what follows must not be folded away. */
  endGroup(): void;
  /** Resolves once standard output has room and timers and signals had their turn, or the signal aborts. */
  drained(signal: AbortSignal): Promise<void>;
}

/** Makes the log of this process's standard output. */
export function createLog(redact: Redact): Log {
  const safe = (text: string) => defuse(redact(text));
  const annotation = (text: string) => cut(safe(text), longestAnnotation);
  const message = (diagnostic: Diagnostic<string>) =>
    printed(reword(diagnostic, (text) => cut(safe(text), longestAnnotation - longestCode)));
  let isGroupOpen = false;
  const endGroup = () => {
    if (isGroupOpen) printGroupEnd();
    isGroupOpen = false;
  };
  const startGroup = (title: string) => {
    endGroup();
    printGroup(title);
    isGroupOpen = true;
  };
  const writers: Readonly<Record<Exclude<LogEntry['kind'], 'warning'>, (text: string) => void>> = {
    line: (text) => printLine(safe(text)),
    'build-log': (text) => printLine(`  │ ${safe(text)}`),
    group: (text) => startGroup(safe(text)),
    'group-end': endGroup,
    notice: (text) => annotate('notice', annotation(text)),
  };
  // Not a time yet: to ask for one loads a module of Node's, which the first lines can do without.
  let lastTurn = Number.NEGATIVE_INFINITY;
  return {
    write: (entry) => {
      if (entry.kind === 'warning') annotate('warning', message(entry.diagnostic));
      else writers[entry.kind](entry.text);
    },
    endGroup,
    error: (title, diagnostic) => {
      endGroup();
      annotate('error', message(diagnostic), safe(title));
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

/**
 * The commands that a step gives the runner in its log, as GitHub documents them under "Workflow commands". They are
 * written here because masks and the first lines come before the first request: GitHub's package for them can only be
 * loaded as a whole, with an HTTP client that takes longer than the rest of a start. What goes through files is its.
 */

const escapes: Readonly<Record<string, string>> = {
  '%': '%25',
  '\r': '%0D',
  '\n': '%0A',
  ':': '%3A',
  ',': '%2C',
};

const escaped = (text: string, characters: RegExp): string =>
  text.replace(characters, (character) => escapes[character] ?? character);

function issue(command: string, message: string, title = ''): void {
  const properties = title === '' ? '' : ` title=${escaped(title, /[%\r\n:,]/g)}`;
  printLine(`::${command}${properties}::${escaped(message, /[%\r\n]/g)}`);
}

/** Prints a line as it is. */
export function printLine(line: string): void {
  process.stdout.write(line + EOL);
}

/** Has the runner hide a text in all that it shows from now on. */
export const mask = (secret: string): void => issue('add-mask', secret);

/** An annotation of the run. */
export const annotate = (
  level: 'notice' | 'warning' | 'error',
  message: string,
  title?: string,
): void => issue(level, message, title);

/** Begins a part of the log that can be folded away. */
export const printGroup = (title: string): void => issue('group', title);

/** Ends it. */
export const printGroupEnd = (): void => issue('endgroup', '');
