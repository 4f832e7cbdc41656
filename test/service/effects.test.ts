import { expect, test } from 'vitest';
import { type FaultKind, startEmulator } from '../../emulator/index.ts';
import { failureOf, fakeKey, newVariable, openClient } from './support.ts';

test.for<FaultKind>([
  { kind: 'reset-before' },
  { kind: 'reset-after' },
  { kind: 'cut-body' },
  { kind: 'status', status: 502, effect: true },
])('a deployment goes through $kind once, by its key', async (fault) => {
  await using emulator = await startEmulator({ key: fakeKey });
  const project = await emulator.world.createProject();
  await using opened = openClient(emulator.url);
  emulator.faults.add({ ...fault, times: 4 });
  const body = { idempotencyKey: 'the key' };
  const { deploymentId } = await opened.client.createDeployment(project.id, body);
  expect(project.deployments.map(({ id }) => id)).toEqual([deploymentId]);
  const sent = emulator.journal.entries.map((entry) => entry.body);
  expect(sent).toEqual([body, body, body, body, body]);
});

test.for<{ fault: FaultKind; mayHaveArrived: boolean; variables: number }>([
  { fault: { kind: 'reset-before' }, mayHaveArrived: true, variables: 0 },
  { fault: { kind: 'reset-after' }, mayHaveArrived: true, variables: 1 },
  { fault: { kind: 'cut-body' }, mayHaveArrived: true, variables: 1 },
  { fault: { kind: 'not-json' }, mayHaveArrived: true, variables: 1 },
  { fault: { kind: 'oversized', bytes: 11_000_000 }, mayHaveArrived: true, variables: 1 },
  { fault: { kind: 'status', status: 500, effect: true }, mayHaveArrived: true, variables: 1 },
  { fault: { kind: 'status', status: 409, effect: false }, mayHaveArrived: false, variables: 0 },
])(
  'a variable is not written twice after $fault.kind',
  async ({ fault, mayHaveArrived, variables }) => {
    await using emulator = await startEmulator({
      key: fakeKey,
      dialect: { duplicateName: 'allow' },
    });
    const project = await emulator.world.createProject();
    await using opened = openClient(emulator.url);
    emulator.faults.add({ ...fault, times: 1 });
    const error = await failureOf(opened.client.createVariable(project.id, newVariable));
    expect(error).toMatchObject({ mayHaveArrived });
    expect(project.variables).toHaveLength(variables);
    expect(emulator.journal.entries).toHaveLength(1);
  },
);
