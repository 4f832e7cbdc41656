import type { Declared } from '../../declared/declared.ts';
import { explainFiles } from '../../declared/explain.ts';
import { type Sanitize, safe, unsafeText } from '../../kernel/text/safe.ts';
import { countOf } from '../../report/closing.ts';
import { does, type Explanation, leaves, tableOf } from '../../report/explanation.ts';
import type { LogEntry } from '../../report/log-entry.ts';
import type { ExplainedResult } from '../../step/end-step.ts';
import type { Skip, Wrong } from '../../step/skip.ts';
import type { Step } from '../../step/step.ts';
import type { SyncSettings } from '../../variables/env-sync.ts';
import type { EnvSyncValues } from '../../variables/env-sync-inputs.ts';
import { explainVariables, listVariables } from '../../variables/explain.ts';
import { endExplained, explainRefused } from './explained.ts';

/**
 * Explains a sync, a skip, or mistakes.
 *
 * @param work what the run would do, and what it logs before; or why it does nothing
 */
export function explainSync(
  step: Step<EnvSyncValues>,
  declared: Declared,
  work: { kind: 'valid'; settings: SyncSettings; notes: readonly LogEntry[] } | Skip | Wrong,
  clean: Sanitize,
): ExplainedResult {
  const explanation =
    work.kind === 'valid'
      ? explainSettings(work.settings, declared, step.inputs.get('drift-issue') === true, clean)
      : explainRefused(work, step, clean);
  const needsKey = work.kind !== 'skip';
  const subject = { name: safe`Variables` };
  const ended = endExplained(step, subject, explanation, { needsKey, clean });
  const notes = work.kind === 'valid' ? work.notes : [];
  return {
    ...ended,
    outputs: {},
    problems: work.kind === 'wrong' ? work.problems : [],
    logEntries: [...notes, ...ended.logEntries],
  };
}

/** Explains what a sync would do, without reading the service. */
function explainSettings(
  { projectId, guarded, gates }: SyncSettings,
  declared: Declared,
  writesIssue: boolean,
  clean: Sanitize,
): Explanation {
  const guard = guarded
    ? safe` If it serves a domain, the run fails before writing: the code is not merged and allow-production is false.`
    : safe``;
  const isGated = (gates.expectedPlan ?? gates.maxChanges) !== undefined;
  const touched = declared.variables.length + declared.removals.size;
  return {
    would: touched === 0 ? safe`change nothing` : safe`sync ${countOf(touched, safe`variable`)}`,
    outcome: 'planned',
    rows: tableOf(
      does(safe`Project`, safe`${unsafeText(projectId)} (project-id).${guard}`),
      explainVariables(declared, false, clean),
      isGated &&
        does(
          safe`Gates`,
          safe`Nothing is written if the plan differs from expected-plan or exceeds max-changes.`,
        ),
      explainFiles(declared.files, clean),
      writesIssue &&
        does(safe`Issue`, safe`mode: plan reports drift in an issue (drift-issue).`, [
          'issues: write',
          safe`to write the issue`,
        ]),
      leaves(safe`Comment`, safe`only mode: plan writes a comment.`),
    ),
    variables: listVariables(declared.variables, clean),
  };
}
