import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Variable } from '../../../src/contract/environment.ts';
import type { DesiredVariable } from '../../../src/core/environment/desired.ts';
import {
  planDigest,
  planEnvironment,
  plannedChanges,
  planVariable,
  type VariablePlan,
} from '../../../src/core/environment/plan.ts';
import { desiredVariable, observedVariable } from './builders.ts';

const plan = (desired: readonly DesiredVariable[], variables: readonly Variable[]) =>
  planEnvironment(desired, { variables: [...variables] });

const variableName = fc.constantFrom('A', 'B', 'C', 'D', 'E');
const targets = { preview: fc.boolean(), production: fc.boolean() };
const anyDesired = fc.uniqueArray(
  fc
    .record({
      name: variableName,
      value: fc.string(),
      kind: fc.constantFrom('secret', 'plain'),
      ...targets,
    })
    .map(desiredVariable),
  { selector: ({ name }) => name },
);
const anyObserved = fc.uniqueArray(
  fc
    .record({
      id: fc.uuid(),
      name: variableName,
      kind: fc.constantFrom('secret', 'plain', 'other'),
      version: fc.integer(),
      ...targets,
    })
    .map(observedVariable),
  { selector: ({ id }) => id },
);

/** What the service would make of the writes of one variable. */
function apply(before: readonly Variable[], { desired, actions }: VariablePlan): Variable[] {
  const { name, kind, preview, production } = desired;
  const change = (variables: readonly Variable[], fields: Partial<Variable>) =>
    variables.map((one) =>
      one.name === name ? { ...one, ...fields, version: one.version + 1 } : one,
    );
  let now = [...before];
  for (const action of actions) {
    if (action === 'replace') now = change(now, { kind });
    else if (action === 'retarget') now = change(now, { preview, production });
    else now.push(observedVariable({ id: `new ${name}`, name, kind, preview, production }));
  }
  return now;
}

describe('any plan', () => {
  test('has each declared variable once, and leaves the others alone', () => {
    fc.assert(
      fc.property(anyDesired, anyObserved, (desired, observed) => {
        const { variables, ambiguous, undeclared } = plan(desired, observed);
        const planned = [
          ...variables.map((one) => one.desired.name),
          ...ambiguous.map(({ name }) => name),
        ];
        const names = desired.map(({ name }) => name);
        expect(planned.toSorted()).toEqual(names.toSorted());
        expect(undeclared).toEqual(observed.filter(({ name }) => !names.includes(name)));
        for (const { name } of ambiguous) {
          expect(observed.filter((one) => one.name === name).length).toBeGreaterThan(1);
        }
      }),
    );
  });

  test('gives what is declared when it is carried out, and then nothing is left to do', () => {
    fc.assert(
      fc.property(anyDesired, anyObserved, (desired, observed) => {
        const { variables, undeclared } = plan(desired, observed);
        const after = variables.reduce(apply, observed);
        for (const one of variables) {
          const { name, kind, preview, production } = one.desired;
          const now = after.find((variable) => variable.name === name);
          expect(now).toMatchObject({ kind, preview, production });
          expect(one.actions.some((action) => action !== 'retarget')).toBe(true);
          expect(planVariable(one.desired, now, true).actions).toEqual([]);
        }
        expect(plan(desired, after).undeclared).toEqual(undeclared);
      }),
    );
  });

  test('does not depend on any order', () => {
    const shuffled = fc.tuple(anyDesired, anyObserved).chain(([desired, observed]) =>
      fc.record({
        desired: fc.constant(desired),
        observed: fc.constant(observed),
        otherDesired: fc.shuffledSubarray(desired, { minLength: desired.length }),
        otherObserved: fc.shuffledSubarray(observed, { minLength: observed.length }),
      }),
    );
    fc.assert(
      fc.property(shuffled, ({ desired, observed, otherDesired, otherObserved }) => {
        const one = plan(desired, observed);
        const other = plan(otherDesired, otherObserved);
        expect(planDigest(other)).toBe(planDigest(one));
        expect(plannedChanges(other)).toEqual(plannedChanges(one));
      }),
    );
  });
});
