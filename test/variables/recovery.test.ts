import { describe, expect, it } from 'vitest';
import type { DialectOptions } from '../../emulator/index.ts';
import type { ConflictPolicy } from '../../src/variables/intent.ts';
import { operationsDuring, syncNow } from '../support/sync.ts';
import { desired } from '../support/variables.ts';
import { startWorld, type World } from '../support/world.ts';

const theirs = 'the value that somebody set by hand';
const declared = desired('IT', { kind: 'plain', production: false, source: 'config' });

const actions = ['create', 'replace', 'retarget'] as const;
const policies = ['overwrite', 'keep', 'fail'] as const;
type Action = (typeof actions)[number];

/** The version that each write is sent with. */
const versions = { create: 0, replace: 1, retarget: 2 } as const;

/** Deletes the variable and makes another one. */
function makeAnew({ project }: World, fields: { version: number; kind?: 'plain' }): void {
  project.deleteVariable('IT');
  project.setVariable({ name: 'IT', value: theirs, ...fields });
}

/** What happens between a write and the read after it. */
const meddlings: Readonly<Record<string, (world: World, action: Action) => void>> = {
  untouched: () => undefined,
  'as sent': () => undefined,
  moved: ({ project }) => void project.setVariable({ name: 'IT', value: theirs }),
  gone: ({ project }) => project.deleteVariable('IT'),
  anew: (world, action) => makeAnew(world, { version: versions[action] }),
};

/**
 * Syncs one variable, of which one write is refused or gets no answer.
 *
 * @param effect the write takes effect nevertheless
 * @param meddle is done before the environment is read again
 */
async function interrupt(
  world: World,
  action: Action,
  write: { isLost: boolean; effect: boolean; policy: ConflictPolicy },
  meddle: () => void | Promise<void>,
) {
  const { project, emulator } = world;
  const { isLost, effect, policy } = write;
  if (action !== 'create') project.setVariable({ name: 'IT', value: 'old' });
  const status = isLost ? 500 : 409;
  const operation = `${action}Variable`;
  const fault = emulator.faults.add({ operation, kind: 'status', status, effect });
  const until = async () => await meddle();
  emulator.faults.add({ operation: 'readEnvironment', kind: 'hold', after: 1, until });
  let end: Awaited<ReturnType<typeof syncNow>> | undefined;
  const operations = await operationsDuring(world, async () => {
    end = await syncNow(world, { projectId: project.id, variables: [declared], policy });
  });
  expect(end?.error).toBeUndefined();
  expect(fault.fired).toBe(1);
  const writes = operations.filter((one) => one !== 'readEnvironment');
  const after = writes.slice(writes.indexOf(operation) + 1);
  return { result: end?.result.variables[0], after, stored: project.variables };
}

/** `again`: as before; `accept`: taken as done; `rewrite`: the value anew. In the order of the policies. */
const decisions: [string, boolean, string, string, string][] = [
  ['untouched', false, 'again', 'again', 'again'],
  ['untouched', true, 'again', 'again', 'again'],
  ['as sent', false, 'rewrite', 'kept', 'conflict'],
  ['as sent', true, 'rewrite', 'accept', 'accept'],
  ['moved', false, 'rewrite', 'kept', 'conflict'],
  ['moved', true, 'rewrite', 'kept', 'conflict'],
  ['gone', false, 'rewrite', 'kept', 'conflict'],
  ['gone', true, 'rewrite', 'kept', 'conflict'],
  ['anew', false, 'rewrite', 'kept', 'conflict'],
  ['anew', true, 'rewrite', 'kept', 'conflict'],
];

const cases = decisions.flatMap(([state, isLost, ...decided]) =>
  actions
    .filter((action) => action !== 'create' || !['gone', 'anew'].includes(state))
    .flatMap((action) =>
      policies.map((policy, index) => ({
        action,
        state,
        answer: isLost ? 'lost' : 'a refusal',
        isLost,
        policy,
        decision: decided[index] ?? '',
      })),
    ),
);

/** The first write after the interrupted one. */
const nextOf: Readonly<Record<string, (action: Action, isGone: boolean) => string | undefined>> = {
  again: (action) => `${action}Variable`,
  accept: (action) => (action === 'replace' ? 'retargetVariable' : undefined),
  rewrite: (_, isGone) => (isGone ? 'createVariable' : 'replaceVariable'),
  kept: () => undefined,
  conflict: () => undefined,
};

/** How somebody else's change is told. */
function describeMove(action: Action, state: string): string {
  const was = action === 'create' ? 'absent' : `version ${versions[action]}`;
  const after = versions[action] + (state === 'anew' ? 0 : 1);
  const is = state === 'gone' ? 'deleted' : `version ${after}`;
  return `changed outside this action during the run (was ${was}, now ${is})`;
}

function reasonOf({ action, state, isLost, decision }: (typeof cases)[number]): string {
  const planned =
    action === 'create'
      ? 'new'
      : 'the kind changes to plain; targets: preview and production → preview';
  const moved = describeMove(action, state);
  const twice = state === 'as sent' ? ', or by a retry' : '';
  if (decision === 'again')
    return `${planned}${isLost ? '; sent again after a lost response' : ''}`;
  if (decision === 'accept')
    return 'the response was lost, but the service has the variable as sent';
  if (decision === 'rewrite')
    return isLost ? 'written again after a lost response' : `${moved}${twice}: overwritten`;
  return `${moved}${isLost ? "; it may be this run's own write (lost response)" : twice}`;
}

describe.concurrent('a write that was interrupted', () => {
  it.each(cases)('$action, $state, answer $answer, $policy: $decision', async (one) => {
    const { action, state, isLost, policy, decision } = one;
    await using world = await startWorld();
    const effect = state === 'as sent';
    const meddle = () => meddlings[state]?.(world, action);
    const { result, after, stored } = await interrupt(
      world,
      action,
      { isLost, effect, policy },
      meddle,
    );
    expect(result?.reason).toBe(reasonOf(one));
    expect(after[0]).toBe(nextOf[decision]?.(action, state === 'gone'));
    if (decision === 'kept' || decision === 'conflict') {
      expect(result?.outcome).toBe(decision);
      const value = state === 'as sent' ? declared.value : theirs;
      expect(stored.map((variable) => variable.value)).toEqual(state === 'gone' ? [] : [value]);
      return;
    }
    const isCreated = state === 'gone' || (action === 'create' && (isLost || decision === 'again'));
    expect(result?.outcome).toBe(isCreated ? 'created' : 'replaced');
    const { value, kind, preview, production } = declared;
    expect(stored).toMatchObject([{ value, kind, preview, production }]);
  });

  const byHand = (fields: { version?: number; kind?: 'secret'; preview?: false }) => {
    return ({ project }: World) =>
      void project.setVariable({ name: 'IT', value: theirs, ...fields });
  };
  it.each<[string, Action, (world: World) => void]>([
    ['a new variable has another kind', 'create', byHand({ version: 1, kind: 'secret' })],
    ['a new variable has other targets', 'create', byHand({ version: 1, preview: false })],
    ['a replaced one is two versions on', 'replace', byHand({})],
    ['a replaced one has another kind', 'replace', byHand({ version: 2, kind: 'secret' })],
    ['a replaced one was retargeted', 'replace', byHand({ version: 2, preview: false })],
    [
      'a replaced one has another id, and the next version',
      'replace',
      (world) => makeAnew(world, { version: 2, kind: 'plain' }),
    ],
    ['a retargeted one is two versions on', 'retarget', byHand({})],
    ['a retargeted one has other targets', 'retarget', byHand({ version: 3, preview: false })],
  ])('is not taken for done without an answer if %s', async (_, action, meddle) => {
    await using world = await startWorld();
    const write = { isLost: true, effect: true, policy: 'keep' } as const;
    const { result, after } = await interrupt(world, action, write, () => meddle(world));
    expect(result?.outcome).toBe('kept');
    expect(after).toEqual([]);
  });

  it.each<[string, DialectOptions, boolean]>([
    ['is taken for done whatever its version is', { firstVersion: 7 }, false],
    ['is a conflict if there are two of its name', { duplicateName: 'allow' }, true],
  ])('that creates a variable, without an answer, %s', async (_, dialect, isTwice) => {
    await using world = await startWorld({ dialect });
    const { name, kind, preview, production } = declared;
    const body = { name, value: theirs, kind, preview, production };
    const meddle = async () => {
      if (isTwice) await world.client.createVariable(world.project.id, body);
    };
    const write = { isLost: true, effect: true, policy: 'keep' } as const;
    const { result } = await interrupt(world, 'create', write, meddle);
    expect(result?.outcome).toBe(isTwice ? 'conflict' : 'created');
    if (isTwice) expect(result?.reason).toMatch(/^the service now has 2 variables with this name/);
  });
});
