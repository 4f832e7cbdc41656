import { describe, expect, it } from 'vitest';
import { memoryLedgers, outcomesOf, syncNow, valuesOf } from '../support/sync.ts';
import { desired, removing } from '../support/variables.ts';
import { startWorld, type World } from '../support/world.ts';

const policies = ['overwrite', 'keep', 'fail'] as const;
const stale = ['409', '412', '400', '422', 'ignore'] as const;
const cases = stale.flatMap((staleVersion) =>
  policies.map((policy) => ({ staleVersion, policy }) as const),
);
type Policy = (typeof policies)[number];

const theirs = 'the value that somebody set by hand';
const newValue = 'fake value that is declared from now on';

/** What the first run declares and so creates. */
const before = [
  'SAME',
  'OTHER_VALUE',
  'OTHER_KIND',
  'OTHER_TARGETS',
  'OTHER_BOTH',
  'ROTATED',
  'ROTATED_AND_DECLARED_ANEW',
  'TARGETS_BY_HAND',
  'REPLACED_BY_ANOTHER',
  'REMOVED',
  'DROPPED',
  'DROPPED_AND_ROTATED',
].map((name) => desired(name));

/** What the second run declares. */
const now = [
  desired('NEW'),
  desired('SAME'),
  desired('OTHER_VALUE', { value: newValue }),
  desired('OTHER_KIND', { kind: 'plain' }),
  desired('OTHER_TARGETS', { preview: false }),
  desired('OTHER_BOTH', { value: newValue, production: false }),
  desired('ROTATED'),
  desired('ROTATED_AND_DECLARED_ANEW', { value: newValue }),
  desired('TARGETS_BY_HAND'),
  desired('REPLACED_BY_ANOTHER'),
  desired('REMOVED'),
  desired('UNKNOWN'),
];

/** What somebody does between the two runs. */
function meddle({ project }: World): void {
  for (const name of ['ROTATED', 'ROTATED_AND_DECLARED_ANEW', 'DROPPED_AND_ROTATED']) {
    project.setVariable({ name, value: theirs });
  }
  const same = desired('TARGETS_BY_HAND').value;
  project.setVariable({ name: 'TARGETS_BY_HAND', value: same, preview: false });
  for (const name of ['REPLACED_BY_ANOTHER', 'REMOVED']) project.deleteVariable(name);
  for (const name of ['REPLACED_BY_ANOTHER', 'UNKNOWN', 'FOREIGN']) {
    project.setVariable({ name, value: theirs });
  }
}

/** A situation of the second run: its outcome, the requests that it takes, and why. */
type Row = readonly [outcome: string, methods: string, reason: string];

const moved =
  'changed outside this action or by an unconfirmed write (now version 2, this action wrote version 1)';
const replaced = 'deleted at version 1, created again at version 1';

/** The rows that no policy changes. */
const confirmed: Readonly<Record<string, Row>> = {
  NEW: ['created', 'POST', 'new'],
  SAME: ['unchanged', '', 'unchanged (version 1)'],
  OTHER_VALUE: ['replaced', 'PUT', 'the value changed since the last run'],
  OTHER_KIND: ['replaced', 'PUT', 'the kind changes to plain'],
  OTHER_TARGETS: ['retargeted', 'PATCH', 'targets: preview and production → production'],
  OTHER_BOTH: [
    'replaced',
    'PUT PATCH',
    'the value changed since the last run; targets: preview and',
  ],
  REMOVED: ['created', 'POST', 'deleted outside this action, which wrote version 1'],
  UNKNOWN: ['replaced', 'PUT', 'it exists, without a record of its value'],
};

/** The rows of what somebody changed, and of what is not declared any more. */
const byPolicy: Readonly<Record<Policy, Readonly<Record<string, Row>>>> = {
  overwrite: {
    ROTATED: ['replaced', 'PUT', moved],
    ROTATED_AND_DECLARED_ANEW: ['replaced', 'PUT', moved],
    TARGETS_BY_HAND: ['replaced', 'PUT PATCH', moved],
    REPLACED_BY_ANOTHER: ['replaced', 'PUT', replaced],
    DROPPED: ['deleted', 'DELETE', 'named in env-remove'],
    DROPPED_AND_ROTATED: ['deleted', 'DELETE', `${moved}; named in env-remove`],
  },
  keep: {
    ROTATED: ['kept', '', moved],
    ROTATED_AND_DECLARED_ANEW: ['kept', '', moved],
    TARGETS_BY_HAND: ['kept', '', moved],
    REPLACED_BY_ANOTHER: ['kept', '', replaced],
    DROPPED: ['deleted', 'DELETE', 'named in env-remove'],
    DROPPED_AND_ROTATED: ['kept', '', `${moved}; named in env-remove`],
  },
  fail: {
    ROTATED: ['conflict', '', moved],
    ROTATED_AND_DECLARED_ANEW: ['conflict', '', moved],
    TARGETS_BY_HAND: ['conflict', '', moved],
    REPLACED_BY_ANOTHER: ['conflict', '', replaced],
    DROPPED: ['not-reached', '', 'nothing is deleted until all declared variables are written'],
    DROPPED_AND_ROTATED: ['not-reached', '', 'nothing is deleted until all declared variables'],
  },
};

/** The methods of the writes that the service received for each variable, in order. */
function methodsByName({ emulator }: World, from: number, ids: ReadonlyMap<string, string>) {
  const methods = new Map<string, string[]>();
  for (const { method, path, body } of emulator.journal.entries.slice(from)) {
    if (method === 'GET') continue;
    const created = typeof body === 'object' && body !== null && 'name' in body ? body.name : '';
    const name = ids.get(path.split('/').at(-1) ?? '') ?? String(created);
    methods.set(name, [...(methods.get(name) ?? []), method]);
  }
  return (name: string) => (methods.get(name) ?? []).join(' ');
}

describe.concurrent('every situation', () => {
  it.each(cases)(
    'is met with its writes, its reason and no others (stale version: $staleVersion, $policy)',
    async ({ staleVersion, policy }) => {
      await using world = await startWorld({ dialect: { staleVersion } });
      const { project, emulator } = world;
      const ledgers = memoryLedgers();
      const common = { projectId: project.id, policy, ledgers };
      const first = await syncNow(world, { ...common, variables: before });
      expect(new Set(Object.values(outcomesOf(first)))).toEqual(new Set(['created']));

      meddle(world);
      const ids = new Map(project.variables.map(({ id, name }) => [id, name]));
      const from = emulator.journal.entries.length;
      const removals = removing('DROPPED', 'DROPPED_AND_ROTATED');
      const { result, error } = await syncNow(world, { ...common, variables: now, removals });
      expect(error).toBeUndefined();
      expect(result.undeclared).toEqual(['FOREIGN']);
      const methodsOf = methodsByName(world, from, ids);
      const expected = { ...confirmed, ...byPolicy[policy] };
      const rows = result.variables.map(({ name, outcome, reason }) => [
        name,
        [outcome, methodsOf(name), reason],
      ]);
      expect(Object.fromEntries(rows)).toEqual(
        Object.fromEntries(
          Object.entries(expected).map(([name, [outcome, methods, reason]]) => [
            name,
            [outcome, methods, expect.stringContaining(reason)],
          ]),
        ),
      );
      expectStored(world, policy);
    },
  );
});

/** What is written is as declared, what is left alone is as somebody left it, what is deleted is gone. */
function expectStored({ project }: World, policy: Policy): void {
  const outcomes = { ...confirmed, ...byPolicy[policy] };
  const isLeft = (name: string) => ['kept', 'conflict'].includes(outcomes[name]?.[0] ?? '');
  for (const { name, value, kind, preview, production } of now) {
    const stored = project.variables.filter((variable) => variable.name === name);
    expect(stored).toHaveLength(1);
    if (!isLeft(name)) expect(stored[0]).toMatchObject({ value, kind, preview, production });
    else expect(stored[0]?.value).toBe(name === 'TARGETS_BY_HAND' ? value : theirs);
  }
  const values = valuesOf(project);
  expect(values['FOREIGN']).toBe(theirs);
  expect(values['DROPPED_AND_ROTATED']).toBe(policy === 'overwrite' ? undefined : theirs);
  expect('DROPPED' in values).toBe(policy === 'fail');
}
