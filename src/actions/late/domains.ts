import { reportDrift } from '../../comments/drift-issue.ts';
import { planKey } from '../../comments/model/marker.ts';
import { commentPlan, type PlanComment } from '../../comments/run-comment.ts';
import type { DomainsValues } from '../../domains/inputs.ts';
import type { DomainsOutputs } from '../../domains/outputs.ts';
import {
  closeDomains,
  describeDomains,
  renderDomainsComment,
  renderDomainsSummary,
} from '../../domains/render.ts';
import {
  countSettings,
  type DomainsReport,
  domainOutput,
  emptyReport,
} from '../../domains/result.ts';
import { type Diagnostic, diagnose } from '../../kernel/diagnostic.ts';
import { namesDiffer } from '../../kernel/names.ts';
import { safe } from '../../kernel/text/safe.ts';
import { listOutput, planOutput } from '../../report/outputs.ts';
import type { Recorded, View } from '../../step/end-step.ts';
import type { OpenStep } from '../../step/open-step.ts';

export { manageDomains } from '../../domains/domains.ts';
export { complete, finish, refuse, setOutputs } from '../../step/end-step.ts';
export { openService } from '../../step/open-service.ts';

/** The report of a plan, as failed for drift that no issue reports, or is to fail. */
export async function withDomainsDrift(
  step: OpenStep<DomainsValues>,
  report: DomainsReport,
  values: DomainsValues,
): Promise<DomainsReport> {
  const isDrift = drifts(report);
  if (report.outcome !== 'planned' || isDrift === undefined) return report;
  const drifted: DomainsReport = { ...report, error: driftError(report), drifted: true };
  const isReported = await reportDrift(step, values, {
    key: planKey('domains', `${values.config} ${values['project-id'] ?? ''}`),
    facts: isDrift && [report.digest],
    title: 'Domains have drifted from the site file',
    render: (context) => renderDomainsComment(drifted, context),
  });
  return isDrift && !isReported ? drifted : report;
}

/** The error for drift, and how to resolve it. */
function driftError({ changes }: DomainsReport): Diagnostic {
  const names = [...new Set(changes.map(({ name }) => name))];
  const differ = namesDiffer(names, { most: 2, longest: 80 });
  const text = safe`${differ} from the site file. To overwrite the service, run with mode: apply. To keep what it has, change the site file.`;
  return diagnose('SD6109', text);
}

/** Comments on the run's pull request, if there is one and comments are on. */
export async function commentDomains(
  step: OpenStep<DomainsValues>,
  report: DomainsReport,
): Promise<Partial<Recorded>> {
  const { inputs } = step;
  const comment: PlanComment = {
    key: inputs.with(
      ['config', 'project-id'],
      ({ config, 'project-id': id = '' }) => `${config} ${id}`,
    ),
    ledgerKey: undefined,
    render: (context) => renderDomainsComment(report, context),
    // A plan without changes or settings only updates an existing comment.
    mayCreate: report.changes.length + countSettings(report) > 0 || report.error !== undefined,
  };
  return await commentPlan('domains', step, comment, step);
}

/** The reports of this action. */
export const domainsView: View<DomainsValues, DomainsOutputs, DomainsReport> = {
  action: 'domains',
  unsent: (_step, outcome) => ({ ...emptyReport(), ...outcome }),
  show: (report) => {
    const { digest, changes, connected, availability, undeclared } = report;
    const results = availability.map(
      ({ result, name }) => result ?? { name, registrable: false, reason: 'not-in-answer' },
    );
    return {
      outputs: {
        plan: digest === '' ? undefined : planOutput(digest, changes),
        'plan-digest': digest,
        drift: drifts(report),
        domains: listOutput(connected.map(domainOutput)),
        availability: listOutput(results),
        undeclared: listOutput(undeclared.map(({ domain, whole }) => ({ domain, ...whole }))),
      },
      title: describeDomains(report),
      closing: closeDomains(report),
      summary: () => renderDomainsSummary(report),
    };
  },
};

/** Whether the service differs from the site file: a plan has changes, or not all of them were applied. */
function drifts({ digest, changes, isPlanned, results }: DomainsReport): boolean | undefined {
  if (digest === '') return undefined;
  const done = results.filter(
    ({ resource, outcome }) => resource !== 'registered-domain' && outcome === 'done',
  );
  return isPlanned ? changes.length > 0 : done.length < changes.length;
}
