import { describe, expect, test } from 'vitest';
import type { Variable } from '../../../src/contract/environment.ts';
import { type Interruption, recover } from '../../../src/variables/evaluate.ts';
import type { ConflictPolicy } from '../../../src/variables/intent.ts';
import { planVariable, type VariableAction } from '../../../src/variables/model/variable-plan.ts';
import { desiredVariable, observedVariable } from './builders.ts';

const desired = desiredVariable({ kind: 'plain', production: false });
const observed = observedVariable({ version: 3 });

type State = 'untouched' | 'ours' | 'moved' | 'gone';

/** What a second look may show, for each write. `ours`: exactly what our own write would leave. */
const looks: Readonly<Record<VariableAction, Readonly<Record<State, Variable | undefined>>>> = {
  create: {
    untouched: undefined,
    ours: observedVariable({ kind: 'plain', production: false }),
    moved: observedVariable(),
    gone: undefined,
  },
  replace: {
    untouched: observed,
    ours: { ...observed, version: 4, kind: 'plain' },
    moved: { ...observed, version: 5, kind: 'plain' },
    gone: undefined,
  },
  retarget: {
    untouched: observed,
    ours: { ...observed, version: 4, kind: 'plain', production: false },
    moved: { ...observed, version: 4, kind: 'plain' },
    gone: undefined,
  },
};

function interruption(
  action: VariableAction,
  state: State,
  unanswered: boolean,
  policy: ConflictPolicy,
): Interruption {
  const before = action === 'create' ? undefined : observed;
  const plan = { desired, ...planVariable(desired, before, { kind: 'unknown' }, policy) };
  const valueDone = action === 'retarget';
  return { plan, action, valueDone, unanswered, now: looks[action][state], policy, step: 1 };
}

const actions: readonly VariableAction[] = ['create', 'replace', 'retarget'];
const policies: readonly ConflictPolicy[] = ['overwrite', 'keep', 'fail'];

/** `again`: as before; `accept`: taken as done; `rewrite`: the value anew. In the order of the policies. */
const decisions: [State, boolean, string, string, string][] = [
  ['untouched', false, 'again', 'again', 'again'],
  ['untouched', true, 'again', 'again', 'again'],
  ['ours', false, 'rewrite', 'kept', 'conflict'],
  ['ours', true, 'rewrite', 'accept', 'accept'],
  ['moved', false, 'rewrite', 'kept', 'conflict'],
  ['moved', true, 'rewrite', 'kept', 'conflict'],
  ['gone', false, 'rewrite', 'kept', 'conflict'],
  ['gone', true, 'rewrite', 'kept', 'conflict'],
];

const cases = decisions.flatMap(([state, unanswered, ...decided]) =>
  actions
    .filter((action) => action !== 'create' || state !== 'gone')
    .flatMap((action) =>
      policies.map((policy, index) => ({
        action,
        state,
        answer: unanswered ? 'lost' : 'a refusal',
        unanswered,
        policy,
        decision: decided[index],
      })),
    ),
);

test.each(cases)(
  '$action, $state, answer $answer, $policy: $decision',
  ({ action, state, unanswered, policy, decision }) => {
    const recovery = recover(interruption(action, state, unanswered, policy));
    if (recovery.kind !== 'continue') {
      expect(recovery.kind).toBe(decision);
      return;
    }
    const wasDone = action === 'retarget';
    const expected = {
      again: { accepted: false, valueDone: wasDone },
      accept: { accepted: true, valueDone: true },
      rewrite: { accepted: false, valueDone: false },
    }[decision as 'again' | 'accept' | 'rewrite'];
    expect(recovery).toMatchObject(expected);
    const now = looks[action][state];
    const valueState = { kind: expected.valueDone ? 'written' : 'unknown' } as const;
    expect(recovery.plan).toEqual({
      desired,
      ...planVariable(desired, now, valueState, policy),
    });
  },
);

describe('what looks like our own write is not, if', () => {
  test.each<[string, VariableAction, Partial<Variable>]>([
    ['a new variable has another kind', 'create', { kind: 'secret' }],
    ['a new variable has other targets', 'create', { preview: false }],
    ['a replaced one is two versions on', 'replace', { version: 5 }],
    ['a replaced one has another kind', 'replace', { kind: 'secret' }],
    ['a replaced one was retargeted', 'replace', { preview: false }],
    ['a replaced one has another id, and the next version', 'replace', { id: 'id-2' }],
    ['a retargeted one has another id, and the next version', 'retarget', { id: 'id-2' }],
    ['a retargeted one is two versions on', 'retarget', { version: 5 }],
    ['a retargeted one has other targets', 'retarget', { preview: false }],
  ])('%s', (_name, action, fields) => {
    const lost = interruption(action, 'ours', true, 'keep');
    expect(lost.now).toBeDefined();
    const now = lost.now === undefined ? undefined : { ...lost.now, ...fields };
    expect(recover({ ...lost, now }).kind).toBe('kept');
  });
});

test('a new variable looks like our own write whatever its id and version are', () => {
  const lost = interruption('create', 'ours', true, 'fail');
  const now = observedVariable({ id: 'id-9', version: 7, kind: 'plain', production: false });
  expect(recover({ ...lost, now })).toMatchObject({ kind: 'continue', accepted: true });
});

test('a variable that was removed and made anew with the version that was read is not as it was', () => {
  const refused = interruption('replace', 'untouched', false, 'fail');
  expect(recover({ ...refused, now: { ...observed, id: 'id-2' } }).kind).toBe('conflict');
});

describe('the reason', () => {
  const reasonOf = (...given: Parameters<typeof interruption>) =>
    recover(interruption(...given)).reason;

  test.each<[string, Parameters<typeof interruption>, string | undefined]>([
    ['none where nothing happened', ['replace', 'untouched', false, 'fail'], undefined],
    [
      'both versions',
      ['replace', 'moved', false, 'fail'],
      'changed outside this action during the run (was version 3, now version 5)',
    ],
    [
      'that it is gone',
      ['replace', 'gone', false, 'keep'],
      'changed outside this action during the run (was version 3, now deleted)',
    ],
    [
      'that it is new',
      ['create', 'moved', false, 'fail'],
      'changed outside this action during the run (was absent, now version 1)',
    ],
    [
      'a doubt where an answer was lost',
      ['replace', 'moved', true, 'fail'],
      "changed outside this action during the run (was version 3, now version 5); it may be this run's own write (lost response)",
    ],
    [
      'that it was overwritten',
      ['replace', 'moved', false, 'overwrite'],
      'changed outside this action during the run (was version 3, now version 5): overwritten',
    ],
    [
      'that it was written twice',
      ['replace', 'moved', true, 'overwrite'],
      'written again after a lost response',
    ],
    [
      'that it was taken as done',
      ['replace', 'ours', true, 'keep'],
      'the response was lost, but the service has the variable as sent',
    ],
  ])('says %s', (_name, given, reason) => {
    expect(reasonOf(...given)).toBe(reason);
  });
});
