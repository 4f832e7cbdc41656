import { type Coded, coded } from '../catalogue/coded.ts';
import type { GitStep } from '../git/brought.ts';
import type { Verification } from '../preview/domain-state.ts';
import type { Progress } from '../progress.ts';
import { formatDuration } from '../text/duration.ts';
import type { ChangeResult } from './domains-report.ts';
import {
  describeOutcome,
  type VariableOutcome,
  type VariableResult,
} from './environment-result.ts';

/** A piece of the log: a line, a line of the build's own log, a group's begin or end, or an annotation. */
export type LogEntry =
  | { kind: 'line' | 'build-log' | 'group' | 'group-end' | 'notice'; text: string }
  | { kind: 'warning'; text: Coded<string> };

const marks: Readonly<Record<VariableOutcome, string>> = {
  created: '+',
  replaced: '~',
  retargeted: '~',
  deleted: '-',
  unchanged: '=',
  kept: '!',
  conflict: '!',
  failed: '×',
  'not-reached': '?',
};

const plural = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;

/** The columns of a line of what was done. */
const columns = (mark: string, word: string, said: string): string =>
  `${mark} ${word.padEnd(11)} ${said}`;

/** One line for one variable: what happened to it or would happen, and why. Never its value. */
export function describeVariable(
  { name, outcome, retargeted, reason }: VariableResult,
  isPlanned = false,
): string {
  const word = describeOutcome(outcome, isPlanned);
  const alsoWord = isPlanned ? 'and to retarget' : 'and retargeted';
  const also = retargeted && outcome !== 'retargeted' ? ` ${alsoWord}` : '';
  return columns(marks[outcome], word, `${name}${also}: ${reason}`);
}

const changeMarks: Readonly<Record<ChangeResult['outcome'], string>> = {
  done: '✓',
  planned: '~',
  failed: '×',
  'not-reached': '?',
  unconfirmed: '!',
};

/** One line for one write on a domain: what was done or would be done, and why. */
function describeChange({ name, action, outcome, reason }: ChangeResult): string {
  const isAsSaid = outcome === 'done' || outcome === 'planned';
  const end = isAsSaid ? '' : ` ${outcome.replace('-', ' ')}`;
  return columns(changeMarks[outcome], action, `${name}${end}: ${reason}`);
}

const line = (text: string): LogEntry[] => [{ kind: 'line', text }];

const parts = {
  whole: 'the commit with its history',
  history: 'the history of the commit',
  files: 'the files of the commits to push',
} as const;

/** What the log shows of the work on a project's repository: what takes a while, and what goes wrong. */
function gitEntries(step: GitStep): LogEntry[] {
  switch (step.step) {
    case 'look':
      return [];
    case 'fetch-commit':
      return line(`Fetching ${parts[step.part]} from GitHub`);
    case 'fetch-branch':
      return line("Fetching the history of the project's branch");
    case 'push':
      return [];
    case 'again':
      return line(`Git is tried again in ${formatDuration(step.pause)}. ${step.words}`);
    case 'left-behind':
      return [
        {
          kind: 'warning',
          text: coded('SD7009', `A folder of temporary files could not be removed: ${step.folder}`),
        },
      ];
  }
}

/** What took less is told as no time at all. */
const shown = 50;

/** A time of its own begin, which is not the deployment's: it stands in no column with that. */
const after = (elapsed: number): string =>
  elapsed < shown ? '' : ` after ${formatDuration(elapsed)}`;

/** What a domain's verification has come to, in words. */
const verifications: Readonly<Record<Verification, string>> = {
  good: 'is verified',
  bad: 'failed its verification',
  pending: 'is not verified yet',
  unclear: 'shows nothing that says whether it is verified',
};

type EntriesOf = {
  [Type in Progress['type']]: (progress: Extract<Progress, { type: Type }>) => LogEntry[];
};

/** Pads a time, so that the statuses of a deployment stand in a column. */
const at = (elapsed: number): string => formatDuration(elapsed).padStart(7);

const entriesOf: EntriesOf = {
  started: ({ projectId, commit }) => {
    if (commit === undefined) return line(`Project ${projectId}`);
    const what = commit === 'HEAD' ? "its repository's HEAD" : `commit ${commit}`;
    return line(`Project ${projectId} ← ${what}`);
  },
  'environment-planned': ({ writes, deletions, unchanged, left, ambiguous, undeclared }) => {
    const isNothing = writes + deletions + left + ambiguous === 0;
    const parts = [
      ...(writes > 0 ? [`${writes} to write`] : []),
      ...(deletions > 0 ? [`${deletions} to delete`] : []),
      ...(ambiguous > 0 ? [`${plural(ambiguous, 'name')} in doubt`] : []),
      ...(left > 0 ? [`${left} not as last written`] : []),
      ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
      ...(undeclared.length > 0 ? [`${undeclared.length} not declared, kept`] : []),
    ];
    if (parts.length === 0) return [];
    return [{ kind: isNothing ? 'line' : 'group', text: `Variables: ${parts.join(', ')}` }];
  },
  variable: ({ result, isPlanned }) =>
    result.outcome === 'unchanged' ? [] : line(describeVariable(result, isPlanned)),
  change: ({ result }) => line(describeChange(result)),
  'environment-done': ({ milliseconds, isNothing }) =>
    isNothing
      ? []
      : [
          ...(milliseconds < shown ? [] : line(`done in ${formatDuration(milliseconds)}`)),
          { kind: 'group-end', text: '' },
        ],
  git: ({ step }) => gitEntries(step),
  'deployment-requested': () => [],
  'deployment-succeeded': () => [],
  'rolling-back': ({ commit }) => line(`The checks failed: rolling back to commit ${commit}`),
  'message-accepted': ({ messageId }) => line(`Message ${messageId}`),
  'deployment-accepted': ({ deploymentId }) => line(`Deployment ${deploymentId}`),
  status: ({ status, message, elapsed }) =>
    line(`${at(elapsed)}  ${status}${message === undefined ? '' : `: ${message}`}`),
  heartbeat: ({ status, elapsed }) => line(`${at(elapsed)}  still ${status}`),
  'build-log': ({ text }) => [{ kind: 'build-log', text }],
  check: ({ what, says, elapsed }) => line(`Check ${what}: ${says}${after(elapsed)}`),
  domain: ({ hostname, verification, statuses, elapsed }) => {
    const words = statuses === '' ? 'no status is shown' : statuses;
    const said = verification === 'good' ? '' : ` (${words})`;
    return line(`Domain ${hostname} ${verifications[verification]}${said}${after(elapsed)}`);
  },
  moving: ({ from, to }) => line(`The domains move from ${from} to ${to}`),
  note: ({ text }) => line(text),
  warning: ({ text }) => [{ kind: 'warning', text }],
};

/** What the log shows of a piece of progress. */
export function logEntries(progress: Progress): LogEntry[] {
  // Each entry of the table takes the progress of its own type, which the compiler cannot follow.
  const entries = entriesOf[progress.type] as (progress: Progress) => LogEntry[];
  return entries(progress);
}
