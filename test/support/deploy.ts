import { sha } from '../../src/contract/commit.ts';
import type { DeployRequest } from '../../src/deploy/context.ts';
import { deploy } from '../../src/deploy/deploy.ts';
import type { DeployReport } from '../../src/deploy/model/report.ts';
import { planDeploy } from '../../src/deploy/plan-run.ts';
import type { PreviewRequest } from '../../src/deploy/previews/preview.ts';
import { defaultPaths } from '../../src/follow/model/service.ts';
import { noCustomStatuses } from '../../src/follow/model/status.ts';
import { type ReadReport, readReport } from './read-report.ts';
import { memoryLedgers } from './sync.ts';
import type { World } from './world.ts';

/** A page that must answer, as the inputs `verify-url` and `verify-contains` have it. */
export interface PageCheck {
  url: URL;
  contains: string;
  namesCommit: boolean;
}

/** The checks that a page comes to. */
export const pageChecks = (
  { url, contains, namesCommit }: PageCheck,
  timeout = 20 * 60_000,
): NonNullable<DeployRequest['checks']> => ({
  declared: [
    {
      at: { url: url.href },
      method: 'GET',
      ...(contains !== '' && { contains }),
      namesCommit,
      from: 'inputs',
    },
  ],
  site: { commit: 'HEAD', origin: url.origin, hostname: undefined },
  timeout,
});

/** Runs the deploy command in a world, with everything at its default that a test does not care about. */
export async function runDeploy(
  world: World,
  {
    preview,
    verify,
    ...fields
  }: Partial<DeployRequest> & { preview?: PreviewRequest; verify?: PageCheck } = {},
): Promise<ReadReport<DeployReport>> {
  const run = fields.planOnly === true ? planDeploy : deploy;
  return readReport(
    await run(world, {
      target: { kind: 'project', id: world.project.id, ...(preview && { preview }) },
      commit: sha(await world.project.head()),
      deploys: true,
      variables: [],
      onConflict: 'overwrite',
      removals: new Map(),
      planOnly: false,
      ledgers: memoryLedgers(),
      wait: 'auto',
      statusPath: defaultPaths['deployment-status'],
      eventsPath: defaultPaths['deployment-events'],
      customStatuses: noCustomStatuses,
      guarded: false,
      isUndecided: false,
      ...(verify && { checks: pageChecks(verify) }),
      ...fields,
    }),
  );
}

/** The statuses that were told, in order. */
export function statusesTold(world: World): string[] {
  return world.told.flatMap((progress) => (progress.type === 'status' ? [progress.status] : []));
}

/** The notes that were told. */
export function notesTold(world: World): string[] {
  return world.told.flatMap((progress) => (progress.type === 'note' ? [progress.text] : []));
}
