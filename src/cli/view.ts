import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Diagnostic, printed } from '../kernel/diagnostic.ts';
import type { Redact } from '../kernel/text/redact.ts';
import { defuse } from '../kernel/text/safe.ts';
import type { Log } from '../platform.ts';
import type { LogEntry } from '../report/log-entry.ts';

/** A line of the log by what it is. */
export type Kind = 'line' | 'build-log' | 'group' | 'notice' | 'warning' | 'error';

/** Where the log of a run is shown. */
export interface View {
  show(kind: Kind, text: string): void;
  /** Resolves once the output is written, or the signal aborts. */
  drained(signal: AbortSignal): Promise<void>;
  /** Takes away what moves. `failed` shows what is known of a failure. */
  close(failed: boolean): void;
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

/** Waits until a stream can take more. */
export async function drain(stream: NodeJS.WriteStream, signal: AbortSignal): Promise<void> {
  await nextTurn();
  if (!stream.writableNeedDrain || signal.aborted) return;
  await once(stream, 'drain', { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** A line as it is shown without color. */
export const plainLine = (kind: Kind, text: string): string => `${prefixes[kind]}${text}`;

/** Lines, one after another, as in the action's log. */
export const plainView = (stream: NodeJS.WriteStream): View => ({
  show: (kind, text) => void stream.write(`${plainLine(kind, text)}\n`),
  drained: (signal) => drain(stream, signal),
  close: () => undefined,
});

/** A log that redacts everything, and shows it in a view. */
export function logIn(view: View, redact: Redact): Log {
  const safe = (text: string) => defuse(redact(text));
  const told = ({ text, code }: Diagnostic<string>) => printed({ code, text: safe(text) });
  return {
    write: (entry: LogEntry) => {
      if (entry.kind === 'warning') view.show('warning', told(entry.diagnostic));
      else if (entry.kind !== 'group-end') view.show(entry.kind, safe(entry.text));
    },
    // Its title is the line before it.
    error: (_title, diagnostic) => view.show('error', told(diagnostic)),
    endGroup: () => undefined,
    drained: (signal) => view.drained(signal),
  };
}
