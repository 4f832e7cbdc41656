import { reportDrift } from '../../comments/drift-issue.ts';
import { planKey } from '../../comments/model/marker.ts';
import { commentPlan, type PlanComment } from '../../comments/run-comment.ts';
import { type Diagnostic, diagnose } from '../../kernel/diagnostic.ts';
import { namesDiffer } from '../../kernel/names.ts';
import { joinSafe, type SafeText, safe } from '../../kernel/text/safe.ts';
import type { Recorded, View } from '../../step/end-step.ts';
import type { OpenStep } from '../../step/open-step.ts';
import {
  closeSync,
  describeSync,
  renderSync,
  renderSyncComment,
  type SyncReport,
} from '../../variables/env-sync.ts';
import type { EnvSyncValues } from '../../variables/env-sync-inputs.ts';
import type { EnvSyncOutputs } from '../../variables/outputs.ts';
import {
  type EnvironmentResult,
  environmentOutputs,
  hasDrift,
  listElsewhere,
} from '../../variables/result.ts';

export { complete, explain, finish, refuse, setOutputs } from '../../step/end-step.ts';
export { ledgersFor } from '../../step/ledgers/ledgers.ts';
export { openService } from '../../step/open-service.ts';
export { envSync } from '../../variables/env-sync.ts';

/** The report of a plan, as failed for drift that no issue reports, or is to fail. */
export async function withVariablesDrift(
  step: OpenStep<EnvSyncValues>,
  report: SyncReport,
  values: EnvSyncValues,
): Promise<SyncReport> {
  const { environment, outcome, projectId } = report;
  if (outcome !== 'planned' || environment === undefined) return report;
  const isDrift = hasDrift(environment);
  const { digest, ambiguous } = environment;
  const drifted: SyncReport = { ...report, error: describeDrift(environment), drifted: true };
  const isReported = await reportDrift(step, values, {
    key: planKey('env-sync', projectId),
    facts: isDrift && [digest, listElsewhere(environment), ambiguous],
    title: `Variables have drifted (project ${projectId.slice(0, 8)})`,
    render: (context) => renderSyncComment(drifted, context),
  });
  return isDrift && !isReported ? drifted : report;
}

/** The error for drift, and how to resolve it. */
function describeDrift({ changes, variables, ambiguous }: EnvironmentResult): Diagnostic {
  const left = [
    ...variables.filter(({ outcome }) => outcome === 'kept' || outcome === 'conflict'),
    ...ambiguous,
  ];
  const names = [...new Set([...changes, ...left].map(({ name }) => name))];
  const isNew = left.length === 0 && changes.every(({ action }) => action === 'create');
  const verbs = isNew ? ([safe`is missing`, safe`are missing`] as const) : undefined;
  const differ = namesDiffer(names, { most: 3, longest: 60 }, verbs);
  const resolve =
    left.length > 0 ? [safe`Resolve conflicts on the service, or set env-on-conflict.`] : [];
  return diagnose(
    'SD4020',
    joinSafe([safe`${differ} on the service.`, ...waysOut(changes), ...resolve], ' '),
  );
}

/** How to resolve drift: to overwrite a change that was made outside this action, or to keep it. */
function waysOut(changes: EnvironmentResult['changes']): SafeText[] {
  if (changes.length === 0) return [];
  if (!changes.some(({ changedElsewhere }) => changedElsewhere === true))
    return [safe`To apply the plan, run with mode: apply (starter: push, or run sync.yml).`];
  return [
    safe`To restore the workflow's value, run with mode: apply (starter: push, or run sync.yml). To keep the new one, get it from its author, and update the secret.`,
  ];
}

/** Comments a plan; one without drift or error only updates an existing comment. */
export function commentVariables(
  step: OpenStep<EnvSyncValues>,
  report: SyncReport,
): Promise<Partial<Recorded>> {
  const { inputs } = step;
  const comment: PlanComment = {
    key: inputs.get('project-id'),
    ledgerKey: inputs.get('env-ledger-key'),
    render: (context) => renderSyncComment(report, context),
    mayCreate: drifts(report) || report.error !== undefined,
  };
  return commentPlan('env-sync', step, comment, step);
}

const drifts = ({ environment }: SyncReport): boolean =>
  environment !== undefined && hasDrift(environment);

/** The reports of this action. */
export const envSyncView: View<EnvSyncValues, EnvSyncOutputs, SyncReport> = {
  action: 'env-sync',
  unsent: ({ inputs }, outcome) => ({ ...outcome, projectId: inputs.get('project-id') ?? '' }),
  show: (report) => {
    const { environment } = report;
    return {
      outputs: {
        ...environmentOutputs(environment),
        'plan-digest': environment?.digest,
        stale: environment?.runtime.stale,
        pending: environment?.runtime.pending,
      },
      title: describeSync(report),
      closing: closeSync(report),
      summary: () => renderSync(report),
    };
  },
};
