import type { CheckResult } from '../../checks/result.ts';
import type { Work } from '../../deploy/job.ts';
import type { CheckedRelease, DeployReport, DeployState } from '../../deploy/model/report.ts';
import type { RecordingPlan } from '../../deploy/recording-plan.ts';
import { digestOf } from '../../kernel/change.ts';
import { shorten } from '../../kernel/text/safe.ts';
import type { ReadKept, Save } from '../../platform.ts';

/** What a step saves while it runs, so that the post step can report it if the step is killed or ends with an unexpected error. */
export interface Journal {
  job: Work['kind'];
  /** What to record on GitHub. */
  plan: RecordingPlan;
  /** The GitHub Deployment, once there is one. */
  deploymentId?: number;
  /** The comment, once it was written. */
  commentId?: number;
  /** True once the run was canceled. */
  isCancelled?: true;
  /** What became of the deployment so far: the report that the run still fills, so each save has its state by then. */
  found: Pick<DeployState, 'projectId' | 'release' | 'checks' | 'rollback'>;
  /** The finished report, before it is reported to GitHub; its long parts are not saved. */
  report?: DeployReport;
}

/** Adds to what is saved. */
export type ChangeJournal = (part: Partial<Journal>) => void;

/** The name under which the journal is saved. */
const journalState = 'journal';

/** Opens the journal of a step. Each change is saved at once. */
export function openJournal(save: Save, first: Journal): ChangeJournal {
  let journal = first;
  const change: ChangeJournal = (part) => {
    journal = { ...journal, ...part };
    const json = JSON.stringify({
      ...journal,
      // The report has it all.
      found: journal.report ? {} : shortFound(journal.found),
      report: journal.report && withoutLongParts(journal.report),
    });
    save(journalState, `${checksumOf(json)} ${json}`);
  };
  change({});
  return change;
}

/** Reads a journal: `absent` if the step was killed before it saved one, `damaged` if it was cut off or changed. */
export function readJournal(read: ReadKept): Journal | 'absent' | 'damaged' {
  const saved = read(journalState);
  if (saved === '') return 'absent';
  const [checksum = ''] = saved.split(' ', 1);
  const json = saved.slice(checksum.length + 1);
  return checksum === checksumOf(json) ? JSON.parse(json) : 'damaged';
}

/** Detects state that was cut off or changed, in hex digits. */
const checksumOf = (json: string): string => digestOf([json]).slice(0, 16);

function shortFound({ projectId, rollback, ...own }: Journal['found']): Journal['found'] {
  return {
    projectId,
    ...shortChecked(own),
    rollback: rollback && { commit: rollback.commit, ...shortChecked(rollback) },
  };
}

/**
 * What became of a release, without its status, which has changed when the step is found killed. Its checks tell whether
 * its commit was seen live.
 */
const shortChecked = ({ release, checks }: CheckedRelease): CheckedRelease => ({
  release: release && {
    stage: release.stage,
    deployment: release.deployment && { id: release.deployment.id },
  },
  checks: checks?.map(shortCheck),
});

/** The most lines of a clean-up that are saved. */
const maxActions = 20;

/** A check with its texts cut, and without its link and the longer text of its result. */
const shortCheck = ({ url: _, explains: __, ...check }: CheckResult): CheckResult => ({
  ...check,
  what: shorten(check.what, 120),
  expected: shorten(check.expected, 60),
  actual: shorten(check.actual, 80),
});

/** A short report: the runner passes it to the post step in an environment variable. */
function withoutLongParts({
  environment,
  preview,
  actions,
  checks,
  rollback,
  ...rest
}: DeployReport): DeployReport {
  return {
    ...rest,
    phases: [],
    preview: preview && {
      ...preview,
      domain: preview.domain && { ...preview.domain, records: [], errors: [] },
    },
    checks: checks?.map(shortCheck),
    rollback: rollback && { ...rollback, checks: rollback.checks?.map(shortCheck) },
    actions: actions?.slice(0, maxActions),
  };
}
