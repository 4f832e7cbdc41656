import { warnOf } from '../step/ending.ts';
import { EarlyEnd, type Run } from '../step/step.ts';
import type { Place, SetupContext } from './context.ts';
import {
  endIfClosed,
  endLease,
  findPreviewProject,
  leasePreviewProject,
  noPreviewProject,
} from './previews/preview.ts';

/** Finds the project to deploy to: the given one, or a leased one. */
export async function findPlace(run: SetupContext): Promise<Place> {
  const { target, guarded, deploy } = run.request;
  if (target.kind === 'project') {
    return { projectId: target.id, preview: target.preview, lease: undefined };
  }
  const { preview } = target;
  if (deploy) {
    const { projectId, isNew } = await leasePreviewProject(run, preview, target.from, guarded);
    return { projectId, preview, lease: { preview, isNew } };
  }
  await endIfClosed(preview);
  const projectId = await findPreviewProject(run, preview, target.from);
  if (projectId === undefined) throw noPreviewProject;
  return { projectId, preview, lease: { preview, isNew: false } };
}

/**
 * Runs what comes before the deployment. A lease that this run has made is given back if an EarlyEnd ends that; any other
 * error, as of the service or a timeout, leaves it.
 */
export async function keptOnlyIf<Done>(
  run: Run,
  { projectId, lease }: Place,
  work: () => Promise<Done>,
): Promise<Done> {
  try {
    return await work();
  } catch (error) {
    if (lease?.isNew && error instanceof EarlyEnd) {
      const ending = endLease(run, lease.preview, projectId);
      await ending.catch((cause: unknown) => warnOf(run.host, cause));
    }
    throw error;
  }
}
