import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Variable } from '../../../src/contract/environment.ts';
import { keyIdOf } from '../../../src/kernel/change.ts';
import { unsafeText } from '../../../src/kernel/text/safe.ts';
import type { DesiredVariable } from '../../../src/variables/intent.ts';
import { planEnvironment, plannedChanges } from '../../../src/variables/plan.ts';
import { anyCase, anyDesired, anyKeptLedger, anyWorld, many } from './any-world.ts';
import { marksBy, planRules } from './builders.ts';
import { shownBy } from './world.ts';
import { planSync } from './world-sync.ts';

/** The same items in any order. */
const inAnyOrder = <Item>(items: readonly Item[]) =>
  fc.shuffledSubarray([...items], { minLength: items.length });

test('a plan and its digest do not depend on any order', () => {
  const shuffled = anyCase(anyKeptLedger).chain(([sync, world, ledger]) =>
    fc.record({
      sync: fc.constant(sync),
      world: fc.constant(world),
      ledger: fc.constant(ledger),
      desired: inAnyOrder(sync.desired),
      stored: inAnyOrder(world.stored),
      entries: inAnyOrder(ledger.entries),
    }),
  );
  fc.assert(
    fc.property(shuffled, ({ sync, world, ledger, desired, stored, entries }) => {
      const one = planSync(world, sync, ledger);
      const other = planSync({ ...world, stored }, { ...sync, desired }, { ...ledger, entries });
      expect(other.digest).toBe(one.digest);
      expect(plannedChanges(other, unsafeText)).toEqual(plannedChanges(one, unsafeText));
    }),
    many,
  );
});

/** What makes another plan of one and the same variable. */
const others: readonly {
  what: string;
  desired?: (one: DesiredVariable) => Partial<DesiredVariable>;
  observed?: (one: Variable) => Partial<Variable>;
  projectId?: string;
}[] = [
  { what: 'project', projectId: 'another project' },
  { what: 'name', desired: () => ({ name: 'E' }) },
  { what: 'value', desired: ({ value }) => ({ value: `${value}, and more` }) },
  { what: 'source', desired: () => ({ from: 'ANOTHER_SOURCE' }) },
  { what: 'kind', desired: ({ kind }) => ({ kind: kind === 'secret' ? 'plain' : 'secret' }) },
  { what: 'preview target', desired: ({ preview }) => ({ preview: !preview }) },
  { what: 'production target', desired: ({ production }) => ({ production: !production }) },
  { what: 'version', observed: ({ version }) => ({ version: version + 1 }) },
  { what: 'id', observed: ({ id }) => ({ id: `${id} made anew` }) },
];

test.each(others)(
  'a plan for another $what has another digest',
  ({ desired, observed, projectId }) => {
    fc.assert(
      fc.property(anyDesired, anyWorld, (declared, world) => {
        const variables = shownBy(world);
        const plan = planEnvironment(declared, { variables }, planRules());
        const index = declared.findIndex(({ name }) =>
          plan.variables.some((one) => one.desired.name === name && one.observed !== undefined),
        );
        const found = declared[index];
        fc.pre(found !== undefined);
        const other = planEnvironment(
          declared.with(index, { ...found, ...desired?.(found) }),
          {
            variables: variables.map((one) =>
              one.name === found.name ? { ...one, ...observed?.(one) } : one,
            ),
          },
          planRules(projectId === undefined ? {} : { projectId }),
        );
        expect(other.digest).not.toBe(plan.digest);
      }),
    );
  },
);

test('a digest is made with the key where a value is a secret, and never without need', () => {
  fc.assert(
    fc.property(anyDesired, anyWorld, (desired, world) => {
      const plan = (secret: string) =>
        planEnvironment(
          desired,
          { variables: shownBy(world) },
          planRules({ marks: marksBy(secret) }),
        );
      const [one, other] = [plan('not-a-real-key-a'), plan('not-a-real-key-b')];
      const isKeyed = one.variables.some(({ desired: { kind } }) => kind === 'secret');
      expect(keyIdOf(one.digest)).toBe(isKeyed ? marksBy('not-a-real-key-a').keyId : undefined);
      expect(one.digest === other.digest).toBe(!isKeyed);
    }),
  );
});
