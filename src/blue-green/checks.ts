import { openChecks, type SiteChecks } from '../checks/apply.ts';
import { awaitChecks } from '../checks/await-checks.ts';
import type { ChecksRequest } from '../checks/intent.ts';
import { countFailed } from '../checks/result.ts';
import type { Host } from '../frame/step.ts';

/** Checks at several origins, as one. Close them at the end. */
export function openAll(groups: readonly ChecksRequest[], host: Host): SiteChecks {
  const opened = groups.map((group) => openChecks(group, host));
  return {
    all: opened.flatMap(({ all }) => all),
    asked: opened.flatMap(({ asked }) => asked),
    restart: () => {
      for (const one of opened) one.restart();
    },
    look: async (signal, longest) => {
      // Waits for all, so that none is running when its pool is closed.
      const ended = await Promise.allSettled(opened.map((one) => one.look(signal, longest)));
      const failed = ended.find((end) => end.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
    },
    close: async () => void (await Promise.all(opened.map((one) => one.close()))),
  };
}

/** How long the checks that choose between the two projects may take, in milliseconds. */
const longest = 10_000;

/** Whether the checks pass; undefined if there are none. */
export async function doHold(
  groups: readonly ChecksRequest[],
  host: Host,
): Promise<boolean | undefined> {
  if (groups.length === 0) return undefined;
  const checks = openAll(groups, host);
  try {
    const found = () => undefined;
    return countFailed(await awaitChecks({ host, checks, timeout: longest, found })) === 0;
  } finally {
    await checks.close();
  }
}
