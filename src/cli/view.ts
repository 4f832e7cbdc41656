import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { styleText } from 'node:util';
import { type Diagnostic, printed } from '../kernel/diagnostic.ts';
import { formatDuration } from '../kernel/text/format.ts';
import type { Redact } from '../kernel/text/redact.ts';
import { defuse } from '../kernel/text/safe.ts';
import type { Log, StepEnvironment } from '../platform.ts';
import type { LogEntry } from '../report/log-entry.ts';
import type { Words } from './words.ts';

/** What a line of the log is. */
type Kind = 'line' | 'build-log' | 'group' | 'problem' | 'notice' | 'warning' | 'error';

/** A line of the log, which has been redacted. */
export interface Shown {
  kind: Kind;
  text: string;
  /** The status that it is about. */
  status?: string | undefined;
}

/** Where the log of a run is shown. Disposing clears the status line. */
export interface View extends Disposable {
  show(line: Shown): void;
  /** Resolves once the output is written, or the signal aborts. */
  drained(signal: AbortSignal): Promise<void>;
}

/** What is written before a line. */
const prefixes: Readonly<Record<Kind, string>> = {
  line: '',
  'build-log': '  │ ',
  group: '',
  problem: 'Error: ',
  notice: 'Note: ',
  warning: 'Warning: ',
  error: 'Error: ',
};

/** Of the 16 colors that a person's theme has for light and dark, and how bright they are. */
type Color = 'red' | 'green' | 'yellow' | 'cyan' | 'dim' | 'bold';

/** The color of a line by its mark: what is added, changed, removed or wrong. */
const ofMark: Readonly<Record<string, Color>> = {
  '+': 'green',
  '✓': 'green',
  '~': 'yellow',
  '!': 'yellow',
  '?': 'yellow',
  '-': 'red',
  '×': 'red',
  '✅': 'green',
};

/** The color of a line by its kind. */
const ofKind: Readonly<Partial<Record<Kind, Color>>> = {
  'build-log': 'dim',
  group: 'bold',
  problem: 'red',
  notice: 'cyan',
  warning: 'yellow',
  error: 'red',
};

function colorOf({ kind, text }: Shown): Color | undefined {
  const [mark, space] = text;
  if (kind !== 'line' || mark === undefined || space !== ' ') return ofKind[kind];
  return Object.hasOwn(ofMark, mark) ? ofMark[mark] : undefined;
}

const eraseLine = '\r\u001b[K';

/** Without line wrapping, a terminal cuts the line at its width. */
const unwrapped = (text: string): string => `\u001b[?7l${text}\u001b[?7h`;

/**
 * Shows lines one after another, as in the action's log: with color on a terminal and, where a person watches it, with a
 * status line below.
 *
 * @param shown the warnings that were shown before, which are not shown again
 */
export function openView(
  stream: Writable & { isTTY?: boolean },
  environment: StepEnvironment,
  isCi: boolean,
  shown = new Set<string>(),
): View {
  const isTerminal = stream.isTTY === true && environment['TERM'] !== 'dumb';
  const hasColor = isTerminal && (environment['NO_COLOR'] ?? '') === '';
  const paint = (text: string, color: Color | undefined) =>
    hasColor && color !== undefined ? styleText(color, text, { validateStream: false }) : text;
  const started = Date.now();
  let status = 'running';
  let hasProblems = false;
  const drawStatus = () => {
    const elapsed = formatDuration(Math.floor((Date.now() - started) / 1000) * 1000);
    stream.write(`${eraseLine}${paint(unwrapped(`${elapsed} · ${status}`), 'cyan')}`);
  };
  const hasStatus = isTerminal && !isCi;
  const timer = hasStatus ? setInterval(drawStatus, 1000).unref() : undefined;
  return {
    show: (line) => {
      // It lists the problems, which have been shown.
      if (line.kind === 'error' && hasProblems) return;
      hasProblems ||= line.kind === 'problem';
      if (line.kind === 'warning' && shown.has(line.text)) return;
      if (line.kind === 'warning') shown.add(line.text);
      status = line.status ?? status;
      const text = paint(`${prefixes[line.kind]}${line.text}`, colorOf(line));
      stream.write(`${hasStatus ? eraseLine : ''}${text}\n`);
      if (hasStatus) drawStatus();
    },
    drained: async (signal) => {
      await nextTurn();
      if (!stream.writableNeedDrain || signal.aborted) return;
      await once(stream, 'drain', { signal }).catch(() => undefined);
    },
    [Symbol.dispose]: () => {
      clearInterval(timer);
      if (hasStatus) stream.write(eraseLine);
    },
  };
}

/** What Buildkite shows as the title of a group, at the start of a line. */
const groupTitle = /^(?=---|\+\+\+|~~~|\^\^\^)/;

/** A log that redacts everything, and shows it in a view. The site's own texts and statuses are not translated. */
export function logIn(view: View, redact: Redact, { translate }: Pick<Words, 'translate'>): Log {
  const asItIs = (text: string) => defuse(redact(text)).replace(groupTitle, ' ');
  const safe = (text: string) => translate(asItIs(text));
  const printedSafely = ({ text, code }: Diagnostic<string>) => printed({ code, text: safe(text) });
  return {
    write: (entry: LogEntry) => {
      switch (entry.kind) {
        case 'warning':
          return view.show({ kind: 'warning', text: printedSafely(entry.diagnostic) });
        case 'group-end':
          return;
        case 'build-log':
          return view.show({ kind: 'build-log', text: asItIs(entry.text) });
        case 'line':
          return entry.status === undefined
            ? view.show({ ...entry, text: safe(entry.text) })
            : view.show({ ...entry, text: asItIs(entry.text), status: asItIs(entry.status) });
        default:
          return view.show({ kind: entry.kind, text: safe(entry.text) });
      }
    },
    // Its title is the line before it.
    error: (_title, diagnostic) => view.show({ kind: 'error', text: printedSafely(diagnostic) }),
    endGroup: () => undefined,
    drained: (signal) => view.drained(signal),
  };
}
