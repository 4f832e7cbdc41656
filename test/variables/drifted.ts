import type { EnvSyncRequest } from '../../src/variables/env-sync.ts';
import { warningsIn } from '../support/read-report.ts';
import { type MemoryLedgers, memoryLedgers, runEnvSync } from '../support/sync.ts';
import { desired } from '../support/variables.ts';
import { startWorld, type World } from '../support/world.ts';

/** Four declared variables: A, B, C and D. */
export const four = ['A', 'B', 'C', 'D'].map((name) => desired(name));

/** A world that is not as declared any more. */
export interface Drifted extends AsyncDisposable {
  world: World;
  /** Declares {@link four}, and remembers what was written before. */
  request: Pick<EnvSyncRequest, 'variables'> & { ledgers: MemoryLedgers };
}

/** Starts a world in which A and B are as declared, C has another value, and D is missing. */
export async function startDrifted(): Promise<Drifted> {
  const world = await startWorld();
  const ledgers = memoryLedgers();
  const old = [desired('A'), desired('B'), desired('C', { value: 'old' })];
  await runEnvSync(world, { variables: old, ledgers });
  return {
    world,
    request: { variables: four, ledgers },
    [Symbol.asyncDispose]: world[Symbol.asyncDispose],
  };
}

/** The warnings that were told. */
export function warningsTold({ told }: World): string[] {
  return warningsIn(told);
}
