import { describe, expect, it } from 'vitest';
import type { EmulatedProject } from '../../emulator/index.ts';
import { memoryLedgers, syncNow, valuesOf, wronglySkipped } from '../support/sync.ts';
import { desired } from '../support/variables.ts';
import { startWorld } from '../support/world.ts';

const theirs = 'the value that somebody set by hand';
const bodies = ['empty', 'no-content', 'wrong'] as const;
const writes = [
  ['createVariable', 'NEW'],
  ['replaceVariable', 'VALUE'],
  ['retargetVariable', 'TARGETS'],
] as const;
const now = [
  desired('NEW'),
  desired('VALUE', { value: 'fake value that is declared from now on' }),
  desired('TARGETS', { preview: false }),
];

/** Sets a value by hand until the variable's times show that it was changed. */
function setLater(project: EmulatedProject, name: string): void {
  for (;;) {
    const { createdAt, updatedAt } = project.setVariable({ name, value: theirs });
    if (updatedAt > createdAt) return;
  }
}

describe.concurrent('what somebody changes after our write, where its answer does not tell the version', () => {
  it.each(bodies.flatMap((body) => writes.map((write) => [body, ...write] as const)))(
    'is never taken for ours: body %s, %s',
    async (writeBody, operation, name) => {
      await using world = await startWorld();
      const { project, emulator } = world;
      const ledgers = memoryLedgers();
      const common = { projectId: project.id, policy: 'overwrite', ledgers } as const;
      await syncNow(world, { ...common, variables: [desired('VALUE'), desired('TARGETS')] });

      emulator.journal.clear();
      // Each request takes effect late, so that the edit comes before our second look.
      Object.assign(emulator.dialect, { writeBody, latencyMs: 50 });
      const written = emulator.journal.waitFor(
        (entry) => entry.operation === operation && entry.effect,
      );
      const meddling = written.then(() => setLater(project, name));
      await Promise.all([syncNow(world, { ...common, variables: now }), meddling]);
      expect(valuesOf(project)[name]).toBe(theirs);

      const next = await syncNow(world, { ...common, variables: now });
      expect(wronglySkipped(next, now, project)).toEqual([]);
      expect(valuesOf(project)[name]).toBe(now.find((one) => one.name === name)?.value);
    },
  );
});
