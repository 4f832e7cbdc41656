import type { Declared } from '../../declared/declared.ts';
import { explainFiles } from '../../declared/explain.ts';
import type { Explained, Prepared, WorkOf } from '../../frame/action.ts';
import type { Step } from '../../frame/step.ts';
import { type Sanitize, safe, unsafeText } from '../../kernel/text/safe.ts';
import { countOf } from '../../report/closing.ts';
import { needsOf, type Statement, type SubjectlessExplanation } from '../../report/explanation.ts';
import type { SyncSettings } from '../../variables/env-sync.ts';
import { explainVariables, listVariables } from '../../variables/explain.ts';
import { explainedEnd, explainSkip, explainWrong, withStep } from './explained.ts';

/** Explains what a sync would do, without reading the service. */
function explainWork(
  { projectId, guarded, gates }: SyncSettings,
  declared: Declared,
  clean: Sanitize,
): SubjectlessExplanation {
  const guard = guarded
    ? safe` If it serves a domain, the run fails before writing: the code is not merged and allow-production is false.`
    : safe``;
  const gated: Statement = {
    about: safe`Gates`,
    does: safe`Nothing is written if the plan differs from expected-plan or exceeds max-changes.`,
  };
  const isGated = (gates.expectedPlan ?? gates.maxChanges) !== undefined;
  const statements: Statement[] = [
    { about: safe`Project`, does: safe`${unsafeText(projectId)} (project-id).${guard}` },
    explainVariables({ ...declared, isDeployed: false }, clean),
    ...(isGated ? [gated] : []),
    ...explainFiles(declared.files, clean),
    { about: safe`Comment`, leaves: safe`only mode: plan writes a comment.` },
  ];
  const touched = declared.variables.length + declared.removals.size;
  return {
    would: touched === 0 ? safe`change nothing` : safe`sync ${countOf(touched, safe`variable`)}`,
    outcome: 'planned',
    statements,
    variables: listVariables(declared.variables, clean),
    checks: [],
    needs: needsOf(statements),
  };
}

/** Explains a prepared sync, a skip, or mistakes. */
export function explainSync(
  step: Step<'env-sync'>,
  declared: Declared,
  prepared: Prepared<WorkOf<'env-sync', SyncSettings>>,
): Explained {
  const { event } = step.context;
  const subject = { name: safe`Variables` };
  const explain = (clean: Sanitize) => {
    const planned =
      prepared.kind === 'skip'
        ? explainSkip(prepared, event, clean)
        : prepared.kind === 'problems'
          ? explainWrong(prepared.problems, event, clean)
          : explainWork(prepared.work.request, declared, clean);
    const explanation = withStep(step, planned, { needsKey: prepared.kind !== 'skip', clean });
    const problems = prepared.kind === 'problems' ? prepared.problems : [];
    const ended = explainedEnd({ subject, ...explanation }, { outputs: {}, problems });
    return prepared.kind === 'work'
      ? { ...ended, logEntries: [...prepared.logEntries, ...ended.logEntries] }
      : ended;
  };
  return { kind: 'explained', explain };
}
