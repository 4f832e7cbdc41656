import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCodePoint } from '../../../test/support/any-text.ts';
import { domain } from '../../../test/support/dns/builders.ts';
import {
  answer,
  anyDialect,
  anySpelling,
  anyTruth,
  type Dialect,
  spell,
  type Truth,
} from '../../../test/support/dns/zones.ts';
import { runs } from '../../../test/support/exhaustive.ts';
import { type DnsRecord, writeDnsRecord } from '../../contract/dns-record.ts';
import { checkZone } from './check.ts';
import { type DeclaredRecord, isAsDeclared, isManaged } from './content.ts';
import { planZone, type ZonePlan, zoneFacts } from './plan-zone.ts';

/** A record that the service holds. */
interface Held {
  id: string;
  truth: Truth;
  managedBy: string | null;
}

/** A service that knows what it holds, and spells it in its own way. */
function show(held: readonly Held[], dialect: Dialect): DnsRecord[] {
  return held.map(({ id, truth, managedBy }) => ({
    ...answer(spell(truth, dialect), dialect),
    id,
    managedBy,
  }));
}

/** What the service holds after a plan: what the user meant by each record that was sent. */
function apply(
  held: readonly Held[],
  { records }: ZonePlan,
  meant: ReadonlyMap<DeclaredRecord, Truth>,
) {
  const now = new Map(held.map((one) => [one.id, one]));
  for (const one of records) {
    const truth = meant.get(one.declared);
    if (one.action === 'none' || truth === undefined) continue;
    const id = one.action === 'update' ? one.id : `new ${one.index}`;
    expect(now.has(id)).toBe(one.action === 'update');
    expect(now.get(id)?.managedBy).not.toBe('system');
    now.set(id, { id, truth, managedBy: 'customer' });
  }
  return [...now.values()];
}

const anyFile = fc
  .array(fc.tuple(anyTruth, anySpelling), { maxLength: 8 })
  .map((rows) => rows.map(([truth, spelling]) => [spell(truth, spelling), truth] as const))
  .map((rows) => {
    const { problems } = checkZone(
      domain,
      rows.map(([declared]) => declared),
    );
    const wrong = new Set(problems.map(({ index }) => index));
    return rows.filter((_row, index) => !wrong.has(index));
  });

/** Records like those of a file and others, some of them the system's. */
function anyHeld(truths: readonly Truth[]): fc.Arbitrary<Held[]> {
  const near = truths.length === 0 ? anyTruth : fc.constantFrom(...truths);
  const mixed = fc
    .tuple(near, anyTruth, fc.constantFrom('same', 'other-extra', 'other-value'))
    .map(([one, other, how]) => {
      if (how === 'same') return one;
      if (how === 'other-extra') return { ...one, extra: other.extra };
      return one.type === other.type ? { ...one, value: other.value } : other;
    });
  const managedBy = fc.constantFrom('customer', 'customer', null, 'system');
  return fc
    .array(fc.record({ truth: mixed, managedBy }), { maxLength: 10 })
    .map((rows) => rows.map((row, index) => ({ ...row, id: `id ${index}` })));
}

const anyCase = anyFile.chain((rows) =>
  fc.record({
    meant: fc.constant(new Map(rows)),
    held: anyHeld(rows.map(([, truth]) => truth)),
    dialect: anyDialect,
  }),
);

const often = runs(50);
const indicesOf = ({ problems }: ZonePlan) => problems.map(({ index }) => index);

describe('any zone', () => {
  test('has nothing left to do after its plan was carried out', () => {
    fc.assert(
      fc.property(anyCase, ({ meant, held, dialect }) => {
        const declared = [...meant.keys()];
        const plan = planZone(domain, declared, show(held, dialect));
        const after = show(apply(held, plan, meant), dialect);
        const again = planZone(domain, declared, after);
        expect(again.records.filter(({ action }) => action !== 'none')).toEqual([]);
        expect(again.records.length).toBe(plan.records.length);
        expect(zoneFacts(again)).toEqual([]);
        expect(indicesOf(again)).toEqual(indicesOf(plan));
      }),
      often,
    );
  });

  test('has each declared record planned or refused, and each observed one in one place', () => {
    fc.assert(
      fc.property(anyCase, ({ meant, held, dialect }) => {
        const observed = show(held, dialect);
        const plan = planZone(domain, [...meant.keys()], observed);
        const planned = [...plan.records.map(({ index }) => index), ...indicesOf(plan)];
        expect(planned.toSorted((a, b) => a - b)).toEqual(
          [...meant.keys()].map((_one, index) => index),
        );
        const claimed = plan.records.flatMap((one) =>
          one.action === 'create' ? [] : [one.observed],
        );
        const customers = claimed.filter((one) => !isManaged(one));
        const places = [...customers, ...plan.managed, ...plan.undeclared];
        expect(new Set(places)).toEqual(new Set(observed));
        expect(places.length).toBe(observed.length);
      }),
      often,
    );
  });

  test('keeps what the system manages and what the file does not declare', () => {
    fc.assert(
      fc.property(anyCase, ({ meant, held, dialect }) => {
        const plan = planZone(domain, [...meant.keys()], show(held, dialect));
        const after = show(apply(held, plan, meant), dialect);
        for (const kept of [...plan.managed, ...plan.undeclared])
          expect(after).toContainEqual(kept);
        const again = planZone(domain, [...meant.keys()], after);
        expect(again.managed).toEqual(plan.managed);
        expect(again.undeclared).toEqual(plan.undeclared);
      }),
      often,
    );
  });

  test('sends what was declared, and no other field', () => {
    fc.assert(
      fc.property(anyCase, ({ meant, held, dialect }) => {
        for (const one of planZone(domain, [...meant.keys()], show(held, dialect)).records) {
          if (one.action === 'none') continue;
          expect(Object.keys(one.body).toSorted()).toEqual(Object.keys(one.declared).toSorted());
          expect(writeDnsRecord.safeParse({ record: one.body }).success).toBe(true);
          expect(isAsDeclared(domain, one.declared, one.body)).toBe(true);
        }
      }),
      often,
    );
  });

  test('is settled by an answer in any spelling', () => {
    fc.assert(
      fc.property(anyTruth, anySpelling, anyDialect, (truth, spelling, dialect) => {
        const shown = answer(spell(truth, dialect), dialect);
        expect(isAsDeclared(domain, spell(truth, spelling), shown)).toBe(true);
      }),
      often,
    );
  });

  test('stays as it is in whatever order the service lists it', () => {
    const shuffled = anyCase.chain((one) => {
      const plan = planZone(domain, [...one.meant.keys()], show(one.held, one.dialect));
      const after = show(apply(one.held, plan, one.meant), one.dialect);
      return fc.record({
        meant: fc.constant(one.meant),
        after: fc.constant(after),
        other: fc.shuffledSubarray(after, { minLength: after.length }),
      });
    });
    fc.assert(
      fc.property(shuffled, ({ meant, after, other }) => {
        const [one, again] = [after, other].map((list) =>
          planZone(domain, [...meant.keys()], list),
        );
        expect(again?.records.filter(({ action }) => action !== 'none')).toEqual([]);
        expect(again?.managed).toEqual(one?.managed);
        expect(again?.undeclared.length).toBe(one?.undeclared.length);
      }),
      often,
    );
  });

  test('of whatever text is planned and checked without an error', () => {
    const any = fc.record({
      type: fc.oneof(fc.constantFrom('A', 'AAAA', 'MX', 'SRV', 'CAA', 'TXT', 'CNAME'), fc.string()),
      name: fc.string({ unit: anyCodePoint }),
      content: fc.string({ unit: anyCodePoint }),
    });
    fc.assert(
      fc.property(fc.array(any), fc.array(any), (declared, observed) => {
        expect(checkZone(domain, declared)).toBeDefined();
        expect(planZone(domain, declared, observed)).toBeDefined();
      }),
      often,
    );
  });
});
