import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Diagnostic, printed } from '../kernel/diagnostic.ts';
import type { Redact } from '../kernel/text/redact.ts';
import { defuse } from '../kernel/text/safe.ts';
import type { Log } from '../platform.ts';
import type { LogEntry } from '../report/log-entry.ts';

/** What a line of the log is. */
type Kind = 'line' | 'build-log' | 'group' | 'notice' | 'warning' | 'error';

/** A line of the log, which has been redacted. */
export interface Shown {
  kind: Kind;
  text: string;
  /** The status that it is about. */
  status?: string | undefined;
  /** True if that is the same as before. */
  isStill?: boolean | undefined;
}

/** Where the log of a run is shown. */
export interface View {
  show(line: Shown): void;
  /** Resolves once the output is written, or the signal aborts. */
  drained(signal: AbortSignal): Promise<void>;
  /** Takes away what moves. After a failure, the end of the build's log stays. */
  close(hasFailed: boolean): void;
}

/** What is written before a line, where nothing is colored. */
const prefixes: Readonly<Record<Kind, string>> = {
  line: '',
  'build-log': '  │ ',
  group: '',
  notice: 'Note: ',
  warning: 'Warning: ',
  error: 'Error: ',
};

/** Waits until a stream can take more, or nobody reads it any longer. */
export async function drain(stream: NodeJS.WriteStream, signal: AbortSignal): Promise<void> {
  await nextTurn();
  if (!stream.writableNeedDrain || signal.aborted) return;
  await once(stream, 'drain', { signal }).catch(() => undefined);
}

/** A line as it is shown without color. */
export const plainLine = ({ kind, text }: Shown): string => `${prefixes[kind]}${text}`;

/** Lines, one after another, as in the action's log. */
export const plainView = (stream: NodeJS.WriteStream): View => ({
  show: (line) => void stream.write(`${plainLine(line)}\n`),
  drained: (signal) => drain(stream, signal),
  close: () => undefined,
});

/** What Buildkite shows as the title of a group, at the start of a line. */
const groupTitle = /^(?=---|\+\+\+|~~~|\^\^\^)/;

/** A log that redacts everything, and shows it in a view. */
export function logIn(view: View, redact: Redact): Log {
  const safe = (text: string) => defuse(redact(text)).replace(groupTitle, ' ');
  const printedSafely = ({ text, code }: Diagnostic<string>) => printed({ code, text: safe(text) });
  return {
    write: (entry: LogEntry) => {
      switch (entry.kind) {
        case 'warning':
          return view.show({ kind: 'warning', text: printedSafely(entry.diagnostic) });
        case 'group-end':
          return;
        case 'line':
          return view.show({
            ...entry,
            text: safe(entry.text),
            status: entry.status === undefined ? undefined : safe(entry.status),
          });
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
