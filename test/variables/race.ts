import { expect } from 'vitest';
import type { EmulatedProject } from '../../emulator/index.ts';
import { createClient, type ServiceClient } from '../../src/service/client.ts';
import { systemClock } from '../../src/service/clock.ts';
import { ServiceError } from '../../src/service/errors.ts';
import { type MemoryLedgers, memoryLedgers, syncNow } from '../support/sync.ts';
import { desired } from '../support/variables.ts';
import type { World } from '../support/world.ts';

/** A second client of a world's service, with connections of its own. */
export function secondClient({ emulator, host }: World): ServiceClient {
  return createClient({
    baseUrl: emulator.url,
    apiKey: emulator.key,
    userAgent: 'somebody else',
    clean: host.clean,
    clock: systemClock,
    deadline: systemClock.now() + 60_000,
    random: host.random,
    signal: host.signal,
  });
}

/** What the first run of a race creates. */
const before = ['VALUE', 'SAME', 'TARGETS', 'DROPPED'].map((name) => desired(name));

/** A project that a run has filled, with what that run remembers. */
export interface Filled {
  project: EmulatedProject;
  ledgers: MemoryLedgers;
}

const statuses = ['409', '412', '400', '422'] as const;
/** The longest pause before a request takes effect, and before its answer, in milliseconds. */
const longestPause = 6;

/** Makes a project, fills it, and from then on has every request take as long as the seed says. */
export async function fill(world: World, seed: number): Promise<Filled> {
  const { emulator } = world;
  const [project] = emulator.world.createProjects(1);
  if (project === undefined) throw new Error('no project was made');
  const ledgers = memoryLedgers();
  emulator.dialect.jitterMs = 0;
  const request = { projectId: project.id, variables: before, ledgers };
  await syncNow(world, { ...request, policy: 'overwrite' });
  project.setVariable({ name: 'FOREIGN', value: 'stays' });
  Object.assign(emulator.dialect, {
    jitterMs: longestPause,
    seed,
    staleVersion: statuses[seed % statuses.length],
  });
  return { project, ledgers };
}

/** Whether a person's request came to nothing because of somebody else's. */
const isRefused = (error: unknown): boolean =>
  error instanceof ServiceError && [400, 404, 409, 412, 422].includes(error.status ?? 0);

/** Sets a value as a person does who looks, writes, and if that is refused looks again. */
export async function insist(
  client: ServiceClient,
  projectId: string,
  name: string,
  value: string,
): Promise<void> {
  for (;;) {
    const { variables } = await client.readEnvironment(projectId);
    const found = variables.find((variable) => variable.name === name);
    const { kind, preview, production } = desired(name);
    try {
      if (found === undefined) {
        await client.createVariable(projectId, { name, value, kind, preview, production });
      } else {
        const expectedVersion = found.version;
        await client.replaceVariable(projectId, found.id, { expectedVersion, value, kind });
      }
      return;
    } catch (error) {
      if (!isRefused(error)) throw error;
    }
  }
}

/** No name is there twice, and what nobody declares is as it was. */
export function expectSound({ variables }: EmulatedProject, about: string): void {
  const names = variables.map(({ name }) => name);
  expect(new Set(names).size, about).toBe(names.length);
  const foreign = variables.find(({ name }) => name === 'FOREIGN');
  expect(foreign, about).toMatchObject({ value: 'stays', version: 1 });
}
