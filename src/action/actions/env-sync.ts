import { commentPlan, type PlanComment } from '../../comments/run-comment.ts';
import type { Action, Preflight, WorkOf } from '../../frame/action.ts';
import { ledgersFor } from '../../frame/ledgers/ledgers.ts';
import type { Step } from '../../frame/step.ts';
import { type Diagnostic, diagnose } from '../../kernel/diagnostic.ts';
import { namesDiffer } from '../../kernel/names.ts';
import { joinSafe, type SafeText, safe } from '../../kernel/text/safe.ts';
import {
  closeSync,
  describeSync,
  envSync,
  renderSync,
  renderSyncComment,
  type SyncReport,
  type SyncSettings,
} from '../../variables/env-sync.ts';
import { variablesRequest } from '../../variables/intent.ts';
import type { DeclaredVariables } from '../../variables/read-variables.ts';
import { type EnvironmentResult, environmentOutputs, hasDrift } from '../../variables/result.ts';

const flagText = (flag: boolean | undefined): string => (flag === undefined ? '' : String(flag));

/** How to resolve drift: to overwrite a change that was made outside this action, or to keep it. */
function waysOut(changes: EnvironmentResult['changes']): SafeText[] {
  if (changes.length === 0) return [];
  if (!changes.some(({ changedElsewhere }) => changedElsewhere === true))
    return [safe`To apply the plan, run with mode: apply.`];
  return [
    safe`To restore the workflow's value, run with mode: apply. To keep the new one, get it from the person who changed it, and update the secret.`,
  ];
}

/** The error for drift, and how to resolve it. */
function describeDrift({ changes, variables, ambiguous }: EnvironmentResult): Diagnostic {
  const left = [
    ...variables.filter(({ outcome }) => outcome === 'kept' || outcome === 'conflict'),
    ...ambiguous,
  ];
  const names = [...new Set([...changes, ...left].map(({ name }) => name))];
  const differ = namesDiffer(names, { most: 3, longest: 60 });
  const resolve =
    left.length > 0 ? [safe`Resolve conflicts on the service, or set env-on-conflict.`] : [];
  return diagnose(
    'SD4020',
    joinSafe(
      [safe`${differ} on the service (fail-on-drift).`, ...waysOut(changes), ...resolve],
      ' ',
    ),
  );
}

/** Comments a plan; one without drift or error only updates an existing comment. */
function commentOn(step: Step<'env-sync'>, report: SyncReport, drifts: boolean, by: Preflight) {
  const { inputs } = step;
  const comment: PlanComment = {
    key: inputs.get('project-id'),
    ledgerKey: inputs.get('env-ledger-key'),
    render: (context) => renderSyncComment(report, context),
    mayCreate: drifts || report.error !== undefined,
  };
  return commentPlan('env-sync', step, comment, by);
}

/** Applies the declared variables, or plans it. */
export const envSyncAction: Action<
  'env-sync',
  DeclaredVariables,
  WorkOf<'env-sync', SyncSettings>,
  SyncReport
> = {
  execute: async (step, declared, { values, request }, open) => {
    const ledgers = ledgersFor(values, declared, step, open);
    const report = await envSync(open, { ...request, ...variablesRequest(declared), ledgers });
    const { environment, outcome } = report;
    const drifts = environment !== undefined && hasDrift(environment);
    const isDrifted = outcome === 'planned' && values['fail-on-drift'] && drifts;
    const shown: SyncReport = isDrifted
      ? { ...report, error: describeDrift(environment), drifted: true }
      : report;
    const { host, warn } = open;
    const notify = (ended: SyncReport) =>
      commentOn(step, ended, drifts, { warn, signal: host.signal });
    return { report: shown, isDrifted, ledgers, ...(request.planOnly && { notify }) };
  },
  // An earlier comment shows the plan of other inputs.
  reportWrong: async (step, report, by) =>
    step.inputs.get('mode') === 'plan' ? await commentOn(step, report, false, by) : {},
  unsent: ({ inputs }, end) => ({ ...end, projectId: inputs.get('project-id') ?? '' }),
  report: (report) => {
    const { environment } = report;
    return {
      outputs: {
        ...environmentOutputs(environment),
        'plan-digest': environment?.digest ?? '',
        stale: flagText(environment?.runtime.stale),
        pending: flagText(environment?.runtime.pending),
      },
      title: describeSync(report),
      closing: closeSync(report),
      summary: () => renderSync(report),
    };
  },
};
