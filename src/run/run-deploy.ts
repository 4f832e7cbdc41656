import { type DeployRequest, deploy } from '../commands/deploy.ts';
import type { Host } from '../commands/host.ts';
import { logEntries } from '../core/report/lines.ts';
import type { DeployReport } from '../core/report/report.ts';
import { clean } from '../core/text/clean.ts';
import type { Redact } from '../core/text/redact.ts';
import type { Log } from '../github/log.ts';
import { saveState } from '../github/runner.ts';
import { createClient } from '../service/client.ts';
import { systemClock } from '../service/clock.ts';
import type { Bounds } from './bounds.ts';
import { postState } from './post-state.ts';
import { userAgent } from './version.ts';

/** How to reach the service. */
export interface ServiceAccess {
  baseUrl: string;
  apiKey: string;
}

/** Runs the deploy command on GitHub's runner, telling the log and the post step what happens. */
export async function runDeploy(
  request: DeployRequest,
  access: ServiceAccess,
  log: Log,
  redact: Redact,
  { signal, deadline }: Bounds,
): Promise<DeployReport> {
  const clock = systemClock;
  const random = Math.random;
  const cleanText = (text: string) => clean(redact(text));
  const client = createClient({
    ...access,
    clean: cleanText,
    clock,
    deadline,
    random,
    signal,
    userAgent,
  });
  const host: Host = {
    clean: cleanText,
    clock,
    random,
    signal,
    drained: () => log.drained(signal),
    report: (progress) => {
      if (progress.type === 'deployment-accepted') {
        saveState(postState.deployment, progress.deploymentId);
      }
      for (const entry of logEntries(progress)) log.write(entry);
    },
  };
  try {
    return await deploy(client, host, request);
  } finally {
    await client.close();
  }
}
