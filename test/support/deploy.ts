import { type DeployRequest, deploy } from '../../src/commands/deploy.ts';
import type { PreviewRequest } from '../../src/commands/preview/preview.ts';
import { sha } from '../../src/contract/commit.ts';
import type { DeployReport } from '../../src/core/report/report.ts';
import { memoryLedgers } from './sync.ts';
import type { World } from './world.ts';

/** Runs the deploy command in a world, with everything at its default that a test does not care about. */
export async function runDeploy(
  world: World,
  { preview, ...fields }: Partial<DeployRequest> & { preview?: PreviewRequest } = {},
): Promise<DeployReport> {
  return await deploy(world, {
    target: { kind: 'project', id: world.project.id, ...(preview && { preview }) },
    commit: sha(await world.project.head()),
    deploy: true,
    variables: [],
    onConflict: 'overwrite',
    prune: false,
    planOnly: false,
    ledgers: memoryLedgers(),
    wait: 'auto',
    statusPath: '/v1/projects/{projectId}/deployments/{deploymentId}',
    eventsPath: '/v1/projects/{projectId}/deployments/{deploymentId}/events',
    successStates: [],
    failureStates: [],
    guarded: false,
    userAgent: 'test',
    ...fields,
  });
}

/** The statuses that were told, in order. */
export function statusesTold(world: World): string[] {
  return world.told.flatMap((progress) => (progress.type === 'status' ? [progress.status] : []));
}

/** The notes that were told. */
export function notesTold(world: World): string[] {
  return world.told.flatMap((progress) => (progress.type === 'note' ? [progress.text] : []));
}
