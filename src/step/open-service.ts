import { idempotencyKey } from '../kernel/cryptography.ts';
import { formatDuration } from '../kernel/text/format.ts';
import { createSanitize } from '../kernel/text/redact.ts';
import { type SafeText, safe, unsafeText } from '../kernel/text/safe.ts';
import { type LogEntry, line } from '../report/log-entry.ts';
import { createClient } from '../service/client.ts';
import { systemClock } from '../service/clock.ts';
import type { Transport } from '../service/http.ts';
import type { ServiceValues } from './access.ts';
import type { OpenStep } from './open-step.ts';
import { type Host, longestLine, longestText, type Open, type Progress } from './step.ts';
import { userAgent } from './version.ts';

/** Pauses of at least so many milliseconds are logged. */
const longPause = 5000;

/** Opens the service for a step; progress goes to the log. Disposing closes it. */
export async function openService(
  step: OpenStep<unknown>,
  { 'base-url': baseUrl, 'api-key': apiKey }: ServiceValues,
  transport: Transport,
): Promise<Open & AsyncDisposable> {
  // Loaded now, so that nothing is left to load after the responses.
  await step.platform.load();
  const { log, redact, warn, signal, deadline } = step;
  const { identity } = step.context;
  const clock = systemClock;
  const random = Math.random;
  const cleanText = createSanitize(redact);
  const client = createClient({
    baseUrl,
    apiKey,
    userAgent,
    transport,
    clean: cleanText,
    clock,
    deadline,
    random,
    signal,
    onPause: (milliseconds, error) => {
      if (milliseconds < longPause) return;
      const text = `Waiting ${formatDuration(milliseconds)}, as the service requested. ${error.message}`;
      log.write({ kind: 'line', text });
    },
  });
  const host: Host = {
    clean: cleanText,
    cleanLine: createSanitize(redact, longestLine),
    cleanText: createSanitize(redact, longestText),
    clock,
    random,
    signal,
    drained: () => log.drained(signal),
    report: (progress) => {
      for (const entry of logEntries(progress)) log.write(entry);
    },
  };
  return {
    client,
    host,
    log,
    redact,
    warn,
    keyFor: (operation, target) => idempotencyKey(identity, operation, target),
    started: clock.now(),
    [Symbol.asyncDispose]: async () => {
      // Work that threw may have left a group open.
      log.endGroup();
      await client.close();
    },
  };
}

/** Pads a time, so that the statuses of a deployment form a column. */
const at = (elapsed: number): SafeText => unsafeText(formatDuration(elapsed).padStart(7));

const entriesOf: {
  [Type in Progress['type']]: (progress: Extract<Progress, { type: Type }>) => LogEntry[];
} = {
  started: ({ projectId, commit }) => {
    if (commit === undefined) return line(safe`Project ${unsafeText(projectId)}`);
    const what = commit === 'HEAD' ? safe`its repository's HEAD` : safe`commit ${commit}`;
    return line(safe`Project ${unsafeText(projectId)} ← ${what}`);
  },
  'rolling-back': ({ commit }) => line(safe`The checks failed: rolling back to commit ${commit}`),
  'message-accepted': ({ messageId }) => line(safe`Message ${messageId}`),
  'deployment-accepted': ({ deploymentId }) => line(safe`Deployment ${deploymentId}`),
  status: ({ status, message, elapsed }) => [
    {
      kind: 'line',
      text: safe`${at(elapsed)}  ${status}${message === undefined ? safe`` : safe`: ${message}`}`,
      status,
    },
  ],
  heartbeat: ({ status, elapsed }) => [
    { kind: 'line', text: safe`${at(elapsed)}  still ${status}`, status },
  ],
  'build-log': ({ text }) => [{ kind: 'build-log', text }],
  lines: ({ entries }) => [...entries],
  note: ({ text }) => line(text),
  warning: ({ diagnostic }) => [{ kind: 'warning', diagnostic }],
};

/** The log entries of progress. */
export function logEntries(progress: Progress): LogEntry[] {
  // Each entry of the table takes the progress of its own type, which the compiler can't infer.
  const entries = entriesOf[progress.type] as (progress: Progress) => LogEntry[];
  return entries(progress);
}
