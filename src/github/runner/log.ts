import { once } from 'node:events';
import { EOL } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Diagnostic, printed, reword } from '../../kernel/diagnostic.ts';
import type { Redact } from '../../kernel/text/redact.ts';
import { cut, defuse } from '../../kernel/text/safe.ts';
import type { Log } from '../../platform.ts';
import type { LogEntry } from '../../report/log-entry.ts';

/** GitHub truncates annotations at this length, in characters. */
const longestAnnotation = 4096;

/** The maximum length of a code at the end, in characters. */
const longestCode = 10;

/** How long output may go on before timers and signals are handled, in milliseconds. */
const longestBurst = 20;

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
    problem: (text) => printLine(`× ${safe(text)}`),
    notice: (text) => annotate('notice', annotation(text)),
  };
  // Reading the time loads a module of Node.js, which the first lines don't need.
  let lastTurn = Number.NEGATIVE_INFINITY;
  return {
    write: (entry) => {
      if (entry.kind === 'warning') {
        annotate('warning', message(entry.diagnostic), safe(entry.title ?? ''));
      } else writers[entry.kind](entry.text);
    },
    endGroup,
    error: (title, diagnostic) => {
      endGroup();
      annotate('error', message(diagnostic), safe(title));
    },
    drained: async (signal) => {
      if (performance.now() - lastTurn >= longestBurst) {
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
 * Workflow commands in the log, as GitHub documents them. They are implemented here because masks and the first lines come
 * before the first request: GitHub's package loads an HTTP client, which takes longer than the rest of the startup. Its
 * commands through files are used as they are.
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

/** Prints a line without any changes. */
export function printLine(line: string): void {
  process.stdout.write(line + EOL);
}

/** Tells the runner to mask a text in all further output. */
export const mask = (secret: string): void => issue('add-mask', secret);

/** Prints a line that GitHub also shows as an annotation of the run. */
export const annotate = (
  level: 'notice' | 'warning' | 'error',
  message: string,
  title?: string,
): void => issue(level, message, title);

/** Starts a group of lines that can be collapsed. */
export const printGroup = (title: string): void => issue('group', title);

/** Ends the group of lines that {@link printGroup} began. */
export const printGroupEnd = (): void => issue('endgroup', '');
