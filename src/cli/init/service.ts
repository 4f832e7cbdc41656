import type { Project } from '../../contract/project.ts';
import { createRedact, createSanitize } from '../../kernel/text/redact.ts';
import { createClient } from '../../service/client.ts';
import { systemClock } from '../../service/clock.ts';
import { userAgent } from '../../step/version.ts';

/** How to reach the service. */
export interface ServiceAccess {
  baseUrl: string;
  apiKey: string;
}

/** The longest time in which a request is repeated, in milliseconds. */
const longest = 30_000;

/** Opens the service for a few reads. Disposing closes it. */
function openReader({ baseUrl, apiKey }: ServiceAccess, signal: AbortSignal) {
  const client = createClient({
    baseUrl,
    apiKey,
    userAgent,
    clean: createSanitize(createRedact([apiKey])),
    clock: systemClock,
    random: Math.random,
    deadline: Date.now() + longest,
    signal,
  });
  return { client, [Symbol.asyncDispose]: () => client.close() };
}

/** The projects that the key can read. @throws ServiceError */
export async function listProjects(access: ServiceAccess, signal: AbortSignal): Promise<Project[]> {
  await using reader = openReader(access, signal);
  return await reader.client.listProjects('all');
}

/** Reads a project that is in no list, by its variables. @throws ServiceError if there is none */
export async function readProject(
  access: ServiceAccess,
  projectId: string,
  signal: AbortSignal,
): Promise<void> {
  await using reader = openReader(access, signal);
  await reader.client.readEnvironment(projectId);
}
