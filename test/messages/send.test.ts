import { describe, expect, it } from 'vitest';
import type { FaultKind, Idempotency } from '../../emulator/index.ts';
import type { ProjectId } from '../../src/contract/safe-text.ts';
import { countOf, sendNow } from '../support/message.ts';
import { startWorld } from '../support/world.ts';

const faults: readonly (readonly [string, FaultKind])[] = [
  ['a reset before it took effect', { kind: 'reset-before' }],
  ['a reset after it took effect', { kind: 'reset-after' }],
  ['an answer that is cut', { kind: 'cut-body' }],
  ['an answer that is a page', { kind: 'not-json' }],
  ['502 after it took effect', { kind: 'status', status: 502, effect: true }],
  ['503 before it took effect', { kind: 'status', status: 503, effect: false }],
  ['429', { kind: 'status', status: 429, effect: false }],
];
const policies: readonly Idempotency[] = ['replay', 'ignore', 'conflict'];
const cases = faults.flatMap(([name, fault]) =>
  policies.map((idempotency) => ({ name, fault, idempotency })),
);

describe.concurrent('a lost answer', () => {
  it.each(cases)('$name, keys: $idempotency: one turn', async ({ fault, idempotency }) => {
    await using world = await startWorld({ dialect: { idempotency } });
    world.emulator.faults.add({ ...fault, operation: 'sendMessage' });
    const report = await sendNow(world);
    const [message, ...more] = world.project.messages;
    expect(more).toEqual([]);
    expect(report).toMatchObject({ outcome: 'succeeded', message: { id: message?.id } });
    const keys = world.emulator.journal.of('sendMessage').map(({ body }) => JSON.stringify(body));
    expect(new Set(keys).size).toBe(1);
  });

  it("is not mended by an earlier message, or somebody else's, that says something else", async () => {
    await using world = await startWorld({ dialect: { idempotency: 'ignore' } });
    const { project, emulator } = world;
    project.sendMessage({ content: 'Make it blue.' });
    emulator.faults.add({ kind: 'reset-before', operation: 'sendMessage' });
    const sending = sendNow(world);
    await emulator.journal.waitFor(({ operation }) => operation === 'sendMessage');
    const other = project.sendMessage({ content: 'Make it red.' });
    const report = await sending;
    expect(project.messages).toHaveLength(3);
    expect(report.message?.id).toBe(project.messages[2]?.id);
    expect(report.message?.id).not.toBe(other.id);
  });

  it('where messages cannot be listed is an error, and nothing is sent again', async () => {
    await using world = await startWorld({ dialect: { refuse: ['listMessages'] } });
    world.emulator.faults.add({ kind: 'reset-after', operation: 'sendMessage' });
    const report = await sendNow(world);
    expect(report.outcome).toBe('failed');
    expect(report.error).toContain('Could not send the message');
    expect(countOf(world, 'sendMessage')).toBe(1);
    expect(world.project.messages).toHaveLength(1);
  });

  it('again and again is given up', async () => {
    await using world = await startWorld();
    world.emulator.faults.add({ kind: 'reset-before', operation: 'sendMessage', times: 99 });
    const report = await sendNow(world);
    expect(report.outcome).toBe('failed');
    expect(countOf(world, 'sendMessage')).toBe(3);
    expect(world.project.messages).toEqual([]);
  });

  it('at the deadline says that the message may have been sent', async () => {
    await using world = await startWorld();
    const { emulator } = world;
    emulator.faults.add({ kind: 'stall', effect: true, operation: 'sendMessage' });
    const sending = sendNow(world);
    await emulator.journal.waitFor(({ operation }) => operation === 'sendMessage');
    world.abort('timed-out');
    const report = await sending;
    expect(report).toMatchObject({ outcome: 'timed-out', text: '' });
    expect(report.error).toContain('may have been sent');
  });
});

describe.concurrent('a refusal', () => {
  it('because a turn runs is an error that says so', async () => {
    await using world = await startWorld({
      dialect: { overlappingMessages: '409', messageEnds: 'never' },
    });
    world.project.sendMessage({ content: 'Another wish.' });
    const report = await sendNow(world);
    expect(report.outcome).toBe('failed');
    expect(report.error).toMatch(/returned 409: .*A turn of the project is running/);
    expect(world.project.messages).toHaveLength(1);
    expect(countOf(world, 'sendMessage')).toBe(1);
  });

  it.each([
    [
      'a project that is not there',
      { projectId: crypto.randomUUID() as string as ProjectId },
      /returned 404/,
    ],
    ['a text that is too long', { body: { content: 'x'.repeat(21) } }, /returned 400/],
  ] as const)('of %s is an error', async (_name, fields, says) => {
    await using world = await startWorld({ dialect: { contentLimit: 20 } });
    const report = await sendNow(world, fields);
    expect(report.outcome).toBe('failed');
    expect(report.error).toMatch(says);
    expect(report.message).toBeUndefined();
  });

  it('of the key is an error that says what it lacks', async () => {
    await using world = await startWorld({ dialect: { refuse: ['sendMessage'] } });
    const report = await sendNow(world);
    expect(report.outcome).toBe('failed');
    expect(report.error).toMatch(/Could not send the message.*403.*permission/);
  });
});
