import { envSync } from '../../commands/env-sync.ts';
import { type EnvironmentResult, hasDrift } from '../../core/report/environment-result.ts';
import { closeSync, renderSync, type SyncReport } from '../../core/report/sync-report.ts';
import { joinSafe, type SafeText, safe } from '../../core/text/safe.ts';
import type { Action } from '../action.ts';
import { ledgersFor } from '../ledgers/ledgers.ts';
import { environmentOutputs } from '../outputs.ts';
import type { EnvSyncWork } from '../starts/env-sync.ts';
import type { DeclaredVariables } from '../way-in/declared.ts';

const flagText = (flag: boolean | undefined): string => (flag === undefined ? '' : String(flag));

/** What a plan with drift asks of somebody. */
function describeDrift({ changes, variables, ambiguous }: EnvironmentResult): SafeText {
  const left = variables.filter(({ outcome }) => outcome === 'kept' || outcome === 'conflict');
  const apply = changes.length > 0 ? [safe`mode: apply would write what the plan lists`] : [];
  const settle =
    left.length + ambiguous.length > 0
      ? [safe`what was changed elsewhere must be settled on the service, or by env-on-conflict`]
      : [];
  return safe`fail-on-drift is true, and the plan above is not empty: ${joinSafe([...apply, ...settle], '; ')}.`;
}

/** Brings variables to what is declared. */
export const envSyncAction: Action<'env-sync', DeclaredVariables, EnvSyncWork, SyncReport> = {
  execute: async (step, declared, { values, request }, open) => {
    const ledgers = ledgersFor(values, declared, step, open.host);
    const report = await envSync(open, { ...request, variables: declared.variables, ledgers });
    const { environment, outcome } = report;
    const drifts = environment !== undefined && hasDrift(environment);
    const fails = outcome === 'planned' && values['fail-on-drift'] && drifts;
    const told = fails ? { ...report, error: describeDrift(environment) } : report;
    return { report: told, fails, ledgers };
  },
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
      closing: closeSync(report),
      summary: renderSync(report),
    };
  },
};
