import { describe, expect, it } from 'vitest';
import type { StreamDialect } from '../../emulator/index.ts';
import { notesTold, runDeploy, statusesTold } from '../support/deploy.ts';
import { rows } from '../support/exhaustive.ts';
import { fastClock } from '../support/fast-clock.ts';
import { startWorld, type World } from '../support/world.ts';

const logged = (world: World): string[] =>
  world.told.flatMap((progress) => (progress.type === 'build-log' ? [progress.text] : []));

const shapes: readonly (readonly [string, Partial<StreamDialect>])[] = [
  ['json', { shape: 'json' }],
  ['data only', { shape: 'data-only' }],
  ['the name only', { shape: 'name-only' }],
  ['nested', { shape: 'nested' }],
  ['typed', { shape: 'typed' }],
  ['heartbeats and comments', { heartbeatMs: 5, comments: true }],
  ['a byte order mark and CRLF', { bom: true, crlf: true }],
  ['split at every byte', { splitBytes: 1 }],
  ['an oversized frame first', { oversizedFrameBytes: 1_500_000 }],
  ['steps that end before the deployment', { stepEvents: true }],
  ['[DONE] at the end', { endWithDone: true }],
  ['a connection that stays open', { closeAtEnd: false }],
  ['a drop after every event', { dropAfterEvents: 1, retryMs: 5 }],
];
const ends = ['success', 'failure'] as const;
/** Streams that never get as far as the end: a reset can take the last event with it. */
const lossy: typeof shapes = [
  ['a reset after every event', { dropAfterEvents: 1, dropBy: 'reset', retryMs: 5 }],
  ['a replay from the start after each drop', { dropAfterEvents: 3, resume: false, retryMs: 5 }],
];
/** Each shape with one end and then the other, in turn. */
const casesOf = (list: typeof shapes) =>
  rows(
    list.flatMap(([name, stream]) => ends.map((end) => ({ name, stream, end }))),
    (_, index) => [0, 3].includes(index % 4),
  );

describe.concurrent('a stream without polls', () => {
  it.each(casesOf(shapes))('$name: $end', async ({ stream, end }) => {
    await using world = await startWorld({
      dialect: { offers: 'stream', deploymentEnds: end, stream },
    });
    const report = await runDeploy(world);
    expect(report.outcome).toBe(end === 'success' ? 'succeeded' : 'failed');
    expect(report.release?.confirmedBy).toBe('stream');
    const told = statusesTold(world);
    expect(told).toEqual([...new Set(told)]);
  });
});

describe.concurrent('a stream beside polls', () => {
  it.each(casesOf([...shapes, ...lossy]))('$name: $end', async ({ stream, end }) => {
    await using world = await startWorld({ dialect: { deploymentEnds: end, stream } });
    const report = await runDeploy(world);
    expect(report.outcome).toBe(end === 'success' ? 'succeeded' : 'failed');
    const told = statusesTold(world);
    expect(told).toEqual([...new Set(told)]);
  });

  it('that stalls is no hindrance', async () => {
    await using world = await startWorld({ dialect: { stream: { stall: true } } });
    expect(await runDeploy(world)).toMatchObject({
      outcome: 'succeeded',
      release: { confirmedBy: 'poll' },
    });
  });

  it.each([
    ['statuses', {}],
    ['a log and heartbeats', { logLines: ['one', 'two'], heartbeatMs: 5 }],
  ])('that tells %s is asked alone', async (_, stream) => {
    await using world = await startWorld({ dialect: { stream } });
    const report = await runDeploy(world);
    expect(report).toMatchObject({ outcome: 'succeeded', release: { confirmedBy: 'stream' } });
    expect(world.emulator.journal.of('readDeployment')).toEqual([]);
  });

  it.each([
    ['nothing', { stall: true }],
    ['nothing more but heartbeats', { heartbeatMs: 5 }],
  ])('that gives %s is asked alone for ten seconds', async (_, stream) => {
    await using world = await startWorld({ dialect: { deploymentEnds: 'never', stream } });
    const running = runDeploy(world);
    const { journal } = world.emulator;
    await journal.waitFor(({ operation }) => operation === 'readDeploymentEvents');
    const opened = fastClock.now();
    await journal.waitFor(({ operation }) => operation === 'readDeployment');
    expect(fastClock.now() - opened).toBeGreaterThanOrEqual(10_000);
    world.abort('cancelled');
    await running;
  });

  it.each([
    ['is not opened', { kind: 'stall', effect: false }, {}],
    ['is closed', undefined, { dropAfterEvents: 1, retryMs: 1e6 }],
  ] as const)('that %s is not waited for', async (_, fault, stream) => {
    await using world = await startWorld({ dialect: { stream } });
    const { faults, journal } = world.emulator;
    if (fault !== undefined) faults.add({ operation: 'readDeploymentEvents', ...fault });
    const running = runDeploy(world);
    await journal.waitFor(({ operation }) => operation === 'readDeploymentEvents');
    const asked = fastClock.now();
    await journal.waitFor(({ operation }) => operation === 'readDeployment');
    expect(fastClock.now() - asked).toBeLessThan(10_000);
    expect(await running).toMatchObject({ outcome: 'succeeded', release: { confirmedBy: 'poll' } });
    expect(journal.of('readDeploymentEvents')).toHaveLength(1);
  });

  it('that fails each time is told once', async () => {
    await using world = await startWorld();
    world.emulator.faults.add({
      operation: 'readDeploymentEvents',
      times: Number.POSITIVE_INFINITY,
      kind: 'status',
      status: 500,
      effect: false,
    });
    expect(await runDeploy(world)).toMatchObject({
      outcome: 'succeeded',
      release: { confirmedBy: 'poll' },
    });
    expect(
      notesTold(world).filter((text) => text.includes("Can't read the events of the deployment")),
    ).toHaveLength(1);
  });
});

describe.concurrent('the log of a stream', () => {
  it.each(['message', 'text', 'line', 'log', 'delta'] as const)(
    'in the field %s',
    async (logShape) => {
      const logLines = ['first line', 'second line'];
      await using world = await startWorld({ dialect: { stream: { logLines, logShape } } });
      await runDeploy(world);
      expect(logged(world)).toEqual(logLines);
    },
  );

  it('that speaks of success is not the end', async () => {
    const logLines = ['succeeded', 'done', '{"status":"failed"}'];
    await using world = await startWorld({ dialect: { offers: 'stream', stream: { logLines } } });
    const report = await runDeploy(world);
    expect(report.outcome).toBe('succeeded');
    expect(world.project.deployments[0]?.status).toBe('succeeded');
    expect(statusesTold(world)).toEqual(['queued', 'building', 'publishing', 'succeeded']);
  });

  it('comes without control characters, and without secrets', async () => {
    const secret = 'fake-secret-in-the-log';
    const logLines = [`\u001b[31mred\u001b[0m ${secret}\u0007`, 'two\nlines'];
    await using world = await startWorld({ dialect: { stream: { logLines } }, secrets: [secret] });
    await runDeploy(world);
    expect(logged(world)).toEqual(['red ***', 'two', 'lines']);
  });

  it('of many lines in one event ends with the run, not with the event', async () => {
    const logLines = ['line\n'.repeat(1000)];
    await using world = await startWorld({ dialect: { stream: { logLines } } });
    world.host.drained = async () => {
      if (logged(world).length >= 3) world.abort('timed-out');
    };
    expect((await runDeploy(world)).outcome).toBe('timed-out');
    expect(logged(world)).toHaveLength(3);
  });

  it.each([
    ['with ids', true],
    ['without resuming', false],
  ])('is not repeated when the stream is dropped and opened again, %s', async (_, resume) => {
    const logLines = ['one', 'two', 'three', 'two'];
    const stream = { logLines, resume, dropAfterEvents: 5, retryMs: 5 };
    await using world = await startWorld({ dialect: { stream } });
    await runDeploy(world);
    const shown = logged(world);
    expect(shown).toEqual(logLines.slice(0, shown.length));
    expect(shown.length).toBeGreaterThan(0);
  });
});
