import { describe, expect, it } from 'vitest';
import { syncNow } from '../support/sync.ts';
import { desired } from '../support/variables.ts';
import { linesIn, startWorld, type World } from '../support/world.ts';

const pem = '-----BEGIN FAKE KEY-----\nbm90IGEga2V5\n-----END FAKE KEY-----\n';
const tricky = `emoji 👩‍👩‍👧, "quotes", 'single', $HOME, # hash, a=b, \\ back, \ttab, \r\n crlf `;

const sync = (world: World, variables: ReturnType<typeof desired>[]) =>
  syncNow(world, {
    projectId: world.project.id,
    variables,
    policy: 'overwrite',
  });

const stored = (world: World) =>
  Object.fromEntries(world.project.variables.map((variable) => [variable.name, variable]));

describe.concurrent('syncEnvironment', () => {
  it.each([
    ['a PEM block', pem],
    ['emoji, quotes, $, #, = and CRLF', tricky],
    ['a deliberate empty value', ''],
    ['5,120 emoji', '😀'.repeat(5120)],
    ['white space only', ' \n\t'],
  ])('writes %s byte for byte', async (_, value) => {
    await using world = await startWorld();
    const { result, error } = await sync(world, [desired('VALUE', { value })]);
    expect(error).toBeUndefined();
    expect(result.variables[0]?.outcome).toBe('created');
    expect(stored(world)['VALUE']?.value).toBe(value);
  });

  it('creates, replaces and retargets, and leaves the rest in place', async () => {
    await using world = await startWorld();
    world.project.setVariable({ name: 'REPLACED', value: 'old' });
    world.project.setVariable({ name: 'RETARGETED', value: 'old', production: false });
    world.project.setVariable({ name: 'OTHER_KIND', value: 'old', kind: 'plain' });
    world.project.setVariable({ name: 'UNDECLARED', value: 'stays' });
    const variables = ['CREATED', 'REPLACED', 'RETARGETED', 'OTHER_KIND'].map((name) =>
      desired(name),
    );
    const { result } = await sync(world, variables);
    expect(result.variables.map((one) => [one.name, one.outcome, one.retargeted])).toEqual([
      ['CREATED', 'created', false],
      ['OTHER_KIND', 'replaced', false],
      ['REPLACED', 'replaced', false],
      ['RETARGETED', 'replaced', true],
    ]);
    expect(result.undeclared).toEqual(['UNDECLARED']);
    for (const { name, value, kind } of variables) {
      expect(stored(world)[name]).toMatchObject({ value, kind, preview: true, production: true });
    }
    expect(stored(world)['UNDECLARED']).toMatchObject({ value: 'stays', version: 1 });
  });

  it('tells the results in the order of the plan, whichever is written first', async () => {
    await using world = await startWorld();
    world.project.setVariable({ name: 'A', value: 'old' });
    const { faults, journal } = world.emulator;
    const isCreated = ({ operation, status }: { operation: string; status: number | null }) =>
      operation === 'createVariable' && status !== null;
    faults.add({
      kind: 'hold',
      operation: 'replaceVariable',
      until: () => journal.waitFor(isCreated),
    });
    await sync(world, [desired('A'), desired('B'), desired('C')]);
    const told = world.told.flatMap((one) => /^\S [a-z]+ +(\w+)/.exec(linesIn(one))?.[1] ?? []);
    expect(told).toEqual(['A', 'B', 'C']);
  });

  it('reads once, and writes each variable once', async () => {
    await using world = await startWorld();
    world.project.setVariable({ name: 'B', value: 'old' });
    await sync(world, [desired('A'), desired('B')]);
    const operations = world.emulator.journal.entries.map(({ operation }) => operation);
    expect(operations.sort()).toEqual(['createVariable', 'readEnvironment', 'replaceVariable']);
    expect(world.client.requests).toBe(3);
  });

  it('writes at most six variables at once', async () => {
    await using world = await startWorld({ dialect: { latencyMs: 20 } });
    const variables = Array.from({ length: 20 }, (_, index) => desired(`NAME_${index}`));
    await sync(world, variables);
    const writes = world.emulator.journal.of('createVariable');
    const under = writes.map(
      ({ at }) => writes.filter((other) => other.at <= at && (other.endedAt ?? 0) > at).length,
    );
    expect(writes).toHaveLength(20);
    expect(Math.max(...under)).toBeLessThanOrEqual(6);
    expect(Math.max(...under)).toBeGreaterThan(1);
  });

  it.each([
    ['full', 200],
    ['full', 201],
    ['empty', 201],
    ['no-content', 200],
    ['wrong', 201],
  ] as const)(
    'is right when a write answers with a body that is %s (%i)',
    async (writeBody, successStatus) => {
      await using world = await startWorld({ dialect: { writeBody, successStatus } });
      world.project.setVariable({ name: 'OLD', value: 'old', production: false });
      const { result, error } = await sync(world, [desired('NEW'), desired('OLD')]);
      expect(error).toBeUndefined();
      expect(result.variables.map(({ outcome }) => outcome)).toEqual(['created', 'replaced']);
      expect(stored(world)['OLD']).toMatchObject({ value: desired('OLD').value, production: true });
      expect(world.project.variables).toHaveLength(2);
    },
  );

  it('goes on with the others when one fails, and tells why without a value', async () => {
    const secrets = [desired('BAD-NAME').value];
    await using world = await startWorld({
      dialect: { variableNames: 'identifier', echoValues: true },
      secrets,
    });
    const { result, error } = await sync(world, [desired('BAD-NAME'), desired('GOOD')]);
    expect(result.variables.map(({ outcome }) => outcome)).toEqual(['failed', 'created']);
    expect(String(error)).toContain('Could not create the variable');
    expect(JSON.stringify([result, world.told])).not.toContain(secrets[0]);
    expect(stored(world)['GOOD']).toBeDefined();
  });

  it('tells one reason of many failures once', async () => {
    await using world = await startWorld({ dialect: { refuse: ['createVariable'] } });
    world.project.setVariable({ name: 'D', value: 'old' });
    const names = ['A', 'B', 'C', 'D'];
    const { result } = await sync(
      world,
      names.map((name) => desired(name)),
    );
    const reasons = result.variables.map(({ reason }) => reason);
    expect(reasons).toEqual([
      expect.stringMatching(/^Could not create the variable: .*403.*permission/),
      expect.stringMatching(/^same error as A \(request id request-\d+\)$/),
      expect.stringMatching(/^same error as A \(request id request-\d+\)$/),
      expect.not.stringContaining('same error'),
    ]);
    const told = world.told.flatMap((one) => /^\S \w+ +\w+: (.*)/.exec(linesIn(one))?.[1] ?? []);
    expect(told).toEqual(reasons);
  });

  it('writes nothing when the service has a declared name twice', async () => {
    await using world = await startWorld({ dialect: { duplicateName: 'allow' } });
    for (const value of ['first', 'second']) {
      const { preview, production, kind } = desired('TWICE');
      await world.client.createVariable(world.project.id, {
        name: 'TWICE',
        value,
        kind,
        preview,
        production,
      });
    }
    const { result } = await sync(world, [desired('TWICE'), desired('OTHER')]);
    expect(result.ambiguous).toEqual([
      { name: 'TWICE', reason: 'the service has 2 variables with this name: delete all but one' },
    ]);
    expect(world.project.variables.map(({ value }) => value)).toEqual(['first', 'second']);
  });

  it('warns of a required variable that the workflow does not declare', async () => {
    await using world = await startWorld();
    world.project.setVariable({ name: 'NEEDED', value: 'set by hand', required: true });
    await sync(world, [desired('OTHER')]);
    expect(world.told).toContainEqual({
      type: 'warning',
      diagnostic: { code: 'SD4004', text: expect.stringContaining('The service requires NEEDED') },
    });
  });

  it('tells which variables a cancelled run did not confirm', async () => {
    await using world = await startWorld();
    world.emulator.faults.add({ operation: 'createVariable', kind: 'stall', effect: false });
    const ended = sync(world, [desired('STALLED')]);
    await world.emulator.journal.waitFor(({ operation }) => operation === 'createVariable');
    world.abort('cancelled');
    expect((await ended).result.variables[0]).toMatchObject({
      outcome: 'not-reached',
      reason: 'the run ended before this was confirmed',
    });
  });
});
