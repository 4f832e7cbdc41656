import { readService } from '../follow/model/service.ts';
import { proxyProblems } from '../http/proxies.ts';
import type { Platform } from '../platform.ts';
import { prefetch } from '../service/http.ts';
import { status } from '../status/inputs.ts';
import type { StepResult } from '../step/end-step.ts';
import { connect, nothingToRead, openStep } from '../step/open-step.ts';
import { unlessWrong } from '../step/skip.ts';

const loadRest = () => import('./late/status.ts');

/** The command that shows what is live and what waits. It is none of GitHub's actions, and is run as they are. */
export async function statusAction(platform: Platform): Promise<StepResult> {
  using step = await openStep(platform, status.inputs, nothingToRead);
  const { inputs } = step;
  const { problems } = readService(inputs.get('service'));
  const job = unlessWrong(inputs, [...problems, ...proxyProblems(step)]);
  if (job.kind !== 'valid') {
    const { statusView, refuse } = await loadRest();
    return await refuse(step, statusView, job);
  }

  const { values } = job;
  const transport = await connect(step, values, prefetch.environment(values['project-id']));
  const { complete, finish, openService, readStatus, statusLines, statusView } = await loadRest();
  await using service = await openService(step, values, transport);
  const report = complete(step, await readStatus(service, values));
  for (const entry of statusLines(report)) step.log.write(entry);
  return await finish(statusView, report);
}
