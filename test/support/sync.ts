import {
  type SyncEnd,
  type SyncRequest,
  syncEnvironment,
} from '../../src/commands/environment/sync.ts';
import type { World } from './world.ts';

/** Reads a world's environment and syncs it at once. */
export async function syncNow(
  { client, host }: World,
  request: Omit<SyncRequest, 'observed'>,
): Promise<SyncEnd> {
  const observed = await client.getEnvironment(request.projectId);
  return await syncEnvironment(client, host, { ...request, observed });
}
