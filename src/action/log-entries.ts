import type { Progress } from '../frame/progress.ts';
import { formatDuration } from '../kernel/text/duration.ts';
import { type SafeText, safe, trusted } from '../kernel/text/safe.ts';
import { type LogEntry, line } from '../report/log-entry.ts';

type EntriesOf = {
  [Type in Progress['type']]: (progress: Extract<Progress, { type: Type }>) => LogEntry[];
};

/** Pads a time, so that the statuses of a deployment stand in a column. */
const at = (elapsed: number): SafeText => trusted(formatDuration(elapsed).padStart(7));

const entriesOf: EntriesOf = {
  started: ({ projectId, commit }) => {
    if (commit === undefined) return line(safe`Project ${trusted(projectId)}`);
    const what = commit === 'HEAD' ? safe`its repository's HEAD` : safe`commit ${trusted(commit)}`;
    return line(safe`Project ${trusted(projectId)} ← ${what}`);
  },
  'deployment-requested': () => [],
  'deployment-succeeded': () => [],
  'rolling-back': ({ commit }) =>
    line(safe`The checks failed: rolling back to commit ${trusted(commit)}`),
  'message-accepted': ({ messageId }) => line(safe`Message ${messageId}`),
  'deployment-accepted': ({ deploymentId }) => line(safe`Deployment ${deploymentId}`),
  status: ({ status, message, elapsed }) =>
    line(safe`${at(elapsed)}  ${status}${message === undefined ? safe`` : safe`: ${message}`}`),
  heartbeat: ({ status, elapsed }) => line(safe`${at(elapsed)}  still ${status}`),
  'build-log': ({ text }) => [{ kind: 'build-log', text }],
  moving: ({ from, to }) => line(safe`The domains move from ${trusted(from)} to ${trusted(to)}`),
  lines: ({ entries }) => [...entries],
  note: ({ text }) => line(text),
  warning: ({ text }) => [{ kind: 'warning', text }],
};

/** What the log shows of a piece of progress. */
export function logEntries(progress: Progress): LogEntry[] {
  // Each entry of the table takes the progress of its own type, which the compiler cannot follow.
  const entries = entriesOf[progress.type] as (progress: Progress) => LogEntry[];
  return entries(progress);
}
