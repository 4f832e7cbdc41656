import { diagnose } from '../../kernel/diagnostic.ts';
import { formatDuration } from '../../kernel/text/format.ts';
import { safe, unsafeText } from '../../kernel/text/safe.ts';
import { type LogEntry, line } from '../../report/log-entry.ts';
import type { GitStep } from './push-result.ts';

const parts = {
  whole: 'the commit with its history',
  history: 'the history of the commit',
  files: 'the files of the commits to push',
} as const;

/** The log lines of a step: what takes long, and what goes wrong. */
export function gitLines(step: GitStep): LogEntry[] {
  switch (step.step) {
    case 'read-branch':
      return [];
    case 'fetch-commit':
      return line(safe`Fetching ${unsafeText(parts[step.part])} from GitHub`);
    case 'fetch-branch':
      return line(safe`Fetching the history of the project's branch`);
    case 'push':
      return [];
    case 'again':
      return line(safe`Git failed; retrying in ${formatDuration(step.pause)}. ${step.words}`);
    case 'left-behind':
      return [
        {
          kind: 'warning',
          diagnostic: diagnose('SD7009', `Could not remove the temporary folder ${step.folder}`),
        },
      ];
  }
}
