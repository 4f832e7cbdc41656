import type { ConnectedReport } from '../../domains/result.ts';
import { readService } from '../../follow/model/service.ts';
import { recordSignerFor, Series } from '../../releases/series.ts';
import { nameInText } from '../../report/closing.ts';
import type { StatusValues } from '../../status/inputs.ts';
import type { StatusOutputs } from '../../status/outputs.ts';
import type { Records, StatusRequest } from '../../status/read.ts';
import { closeStatus } from '../../status/render.ts';
import type { StatusReport } from '../../status/result.ts';
import type { View } from '../../step/end-step.ts';

export { readStatus } from '../../status/read.ts';
export { statusLines } from '../../status/render.ts';
export { complete, finish, refuse } from '../../step/end-step.ts';
export { openService } from '../../step/open-service.ts';

/** What is asked by valid inputs. */
export function statusRequest(values: StatusValues): StatusRequest {
  const { customStatuses } = readService(values.service);
  return { projectId: values['project-id'], customStatuses, records: recordsOf(values) };
}

function recordsOf(values: StatusValues): Records | undefined {
  const { repository, 'github-token': token, 'github-api-url': apiUrl } = values;
  if (repository === undefined || token === undefined) return undefined;
  const access = { apiUrl, token, repository };
  const signer = recordSignerFor(values, repository);
  return { access, signer, all: new Series({ access, signer }, {}) };
}

/** The reports of this command. */
export const statusView: View<StatusValues, StatusOutputs, StatusReport> = {
  action: 'status',
  unsent: (_step, outcome) => ({ ...outcome, unknown: [] }),
  show: (report) => {
    const { live, variables, domains, previews, unknown } = report;
    return {
      outputs: { live, variables, domains: domains?.map(domainOutput), previews, unknown },
      title: `Status: ${nameInText(report.outcome)}`,
      closing: closeStatus(report),
      // The command shows no summary.
      summary: () => '',
    };
  },
};

/** A connected domain as an output: what is empty is absent. */
const domainOutput = ({ projectId, state, records, ...domain }: ConnectedReport) => ({
  ...domain,
  'project-id': projectId || undefined,
  state: state || undefined,
  records: records.map((record) => ({ ...record, purpose: record.purpose || undefined })),
});
