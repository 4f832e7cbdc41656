import { ServiceError } from '../errors.ts';
import type { World } from '../world.ts';

/** The id of the project that a body names. @throws a `ServiceError` of the dialect's status if there is none */
export function knownProject({ dialect, projects }: World, wanted: string): string {
  const project = projects.find(({ id }) => id === wanted.toLowerCase());
  if (project) return project.id;
  throw new ServiceError(Number(dialect.unknownProject), 'unknown_project', 'No such project.');
}
