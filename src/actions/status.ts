import { domainOutput } from '../domains/result.ts';
import { readService } from '../follow/model/service.ts';
import { proxyProblems } from '../http/proxies.ts';
import type { Platform } from '../platform.ts';
import { closeWith, nameInText, nameOf } from '../report/closing.ts';
import { type StatusValues, status } from '../status/inputs.ts';
import type { StatusOutputs } from '../status/outputs.ts';
import { readStatus } from '../status/read.ts';
import { statusLines } from '../status/render.ts';
import type { StatusReport } from '../status/result.ts';
import { complete, finish, refuse, type StepResult, type View } from '../step/end-step.ts';
import { openService } from '../step/open-service.ts';
import { connect, nothingToRead, openStep } from '../step/open-step.ts';
import { unlessWrong } from '../step/skip.ts';

/** The command that shows what is live and what waits. It is none of GitHub's actions, and is run as they are. */
export async function statusAction(platform: Platform): Promise<StepResult> {
  using step = await openStep(platform, status.inputs, nothingToRead);
  const { problems } = readService(step.inputs.get('service'));
  const job = unlessWrong(step.inputs, [...problems, ...proxyProblems(step)]);
  if (job.kind !== 'valid') return await refuse(step, statusView, job);
  const transport = await connect(step, job.values, undefined);
  await using service = await openService(step, job.values, transport);
  const report = complete(step, await readStatus(service, job.values));
  for (const entry of statusLines(report)) step.log.write(entry);
  return await finish(statusView, report);
}

const statusView: View<StatusValues, StatusOutputs, StatusReport> = {
  action: 'status',
  unsent: (_step, outcome) => ({ ...outcome, unknown: [] }),
  show: (report) => {
    const { outcome, live, stale, pending, domains, previews, unknown } = report;
    return {
      outputs: { live, stale, pending, domains: domains?.map(domainOutput), previews, unknown },
      title: `Status: ${nameInText(outcome)}`,
      closing: closeWith(outcome === 'succeeded' ? 'Done' : nameOf(outcome), report),
      // The command shows no summary.
      summary: () => '',
    };
  },
};
