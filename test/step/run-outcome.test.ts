// Attack (flooding): An error that names all that a service lists
// Defense: 4,000 characters at most

import { expect, test } from 'vitest';
import { diagnose } from '../../src/kernel/diagnostic.ts';
import { unsafeText } from '../../src/kernel/text/safe.ts';
import { outcomeByError, reportOn } from '../../src/step/run-outcome.ts';
import { Stop } from '../../src/step/step.ts';
import { readReport } from '../support/read-report.ts';
import { startWorld } from '../support/world.ts';

test('an error that names a million things is cut', async () => {
  await using world = await startWorld();
  const error = new Stop(
    'failed',
    diagnose('SD9003', unsafeText(`Nothing was done: ${'www.example.com, '.repeat(1_000_000)}`)),
  );
  const ended = outcomeByError(world.host, error);
  expect(ended.outcome).toBe('failed');
  expect(ended.error.code).toBe('SD9003');
  expect(ended.error.text).toHaveLength(4000);
  expect(ended.error.text).toMatch(/^Nothing was done: .*…$/);
});

test('a report of a run that is cut off has what was found until then, as it was found last', async () => {
  await using world = await startWorld();
  const found: { project: string; status?: string } = { project: 'one' };
  const report = await reportOn(
    world,
    found,
    async () => {
      found.status = 'building';
      world.abort('timed-out');
      throw new Stop('conflict', diagnose('SD9003', unsafeText('This is not why it ended.')));
    },
    () => unsafeText(` It was last seen as ${found.status}.`),
  );
  expect(readReport(report)).toMatchObject({
    outcome: 'timed-out',
    error: 'The run is timed-out. It was last seen as building. (SD9002)',
    project: 'one',
    status: 'building',
    requests: 0,
  });
});

test('a report of a run that ends by itself has what was found and what it ended with', async () => {
  await using world = await startWorld();
  const found: { page?: string } = {};
  const report = await reportOn(world, found, async () => {
    found.page = 'good';
    return { outcome: 'succeeded' };
  });
  expect(report).toMatchObject({ outcome: 'succeeded', page: 'good' });
  expect(report.error).toBeUndefined();
});

test.each([
  [
    'timed-out',
    / Could not read .* returned 503.*\. The next attempt got no response\. If the service is slow, raise timeout\. \(SD9002\)$/,
  ],
  ['cancelled', /^The run is cancelled\. \(SD9002\)$/],
] as const)(
  'a run that is %s while the service owes an answer says so if it can help',
  async (how, error) => {
    await using world = await startWorld();
    const { faults } = world.emulator;
    const operation = 'readEnvironment';
    faults.add({ operation, times: 1, kind: 'status', status: 503, effect: false });
    const until = async () => world.abort(how);
    faults.add({ operation, kind: 'hold', until });
    const report = await reportOn(world, {}, async () => {
      await world.client.readEnvironment(world.project.id);
      return { outcome: 'synced' };
    });
    expect(readReport(report)).toMatchObject({
      outcome: how,
      error: expect.stringMatching(error),
    });
  },
);
