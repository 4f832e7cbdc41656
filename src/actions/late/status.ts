import { domainOutput } from '../../domains/result.ts';
import { closeWith, nameInText, nameOf } from '../../report/closing.ts';
import type { StatusValues } from '../../status/inputs.ts';
import type { StatusOutputs } from '../../status/outputs.ts';
import type { StatusReport } from '../../status/result.ts';
import type { View } from '../../step/end-step.ts';

export { readStatus } from '../../status/read.ts';
export { statusLines } from '../../status/render.ts';
export { complete, finish, refuse } from '../../step/end-step.ts';
export { openService } from '../../step/open-service.ts';

/** The reports of this command. */
export const statusView: View<StatusValues, StatusOutputs, StatusReport> = {
  action: 'status',
  unsent: (_step, outcome) => ({ ...outcome, unknown: [] }),
  show: (report) => {
    const { outcome, live, variables, domains, previews, unknown } = report;
    return {
      outputs: { live, variables, domains: domains?.map(domainOutput), previews, unknown },
      title: `Status: ${nameInText(outcome)}`,
      closing: closeWith(outcome === 'succeeded' ? 'Done' : nameOf(outcome), report),
      // The command shows no summary.
      summary: () => '',
    };
  },
};
