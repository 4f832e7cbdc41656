import fc from 'fast-check';
import type { Ledger } from '../../../src/ledger/model/ledger.ts';
import { runs } from '../exhaustive.ts';
import { desiredVariable } from './builders.ts';
import { doElsewhere, emptyWorld, type ForeignWrite, type World } from './world.ts';
import { runSync, type Sync } from './world-sync.ts';

const names = ['A', 'B', 'C'] as const;
const name = fc.constantFrom(...names);
/** Values that no other text holds. Few, so that equal ones meet. */
const value = fc.constantFrom('FAKE+VALUE+1', 'FAKE+VALUE+2', 'FAKE+VALUE+3');
const kind = fc.constantFrom('secret' as const, 'plain' as const);
const step = fc.integer({ min: 1, max: 5 });
const fields = { name, value, kind, preview: fc.boolean(), production: fc.boolean() };

/** Variables that a workflow declares. */
export const anyDesired = fc.uniqueArray(fc.record(fields).map(desiredVariable), {
  selector: (one) => one.name,
});

/** A sync that a workflow asks for. */
export const anySync: fc.Arbitrary<Sync> = fc.record({
  desired: anyDesired,
  policy: fc.constantFrom('overwrite', 'keep', 'fail'),
  remove: fc.subarray([...names]),
  step,
});

const what = fc.constantFrom('create', 'write', 'retarget', 'remove');
const anyForeignWrite: fc.Arbitrary<ForeignWrite> = fc.record({ ...fields, what, step });

/** A project after some syncs, and after some actions of others in between. */
function worldAfter(fields: Partial<Pick<Sync, 'step'>>): fc.Arbitrary<World> {
  const happening = fc.oneof(
    anySync.map((sync) => (world: World) => runSync(world, { ...sync, ...fields })),
    anyForeignWrite.map((action) => (world: World) => doElsewhere(world, { ...action, ...fields })),
  );
  return fc
    .array(happening, { maxLength: 8 })
    .map((happenings) => happenings.reduce((world, happen) => happen(world), emptyWorld));
}

/** A project of a service in which each write moves a version. */
export const anyWorld = worldAfter({});

/** A project of a service in which no write moves a version. */
export const anyStillWorld = worldAfter({ step: 0 });

/** Any ledger that was ever kept of a project, the latest or an old one. */
export function anyKeptLedger({ ledgers }: World): fc.Arbitrary<Ledger> {
  return fc.constantFrom(...ledgers);
}

/** Entries put together from the fields of all that there ever were: nobody can make more of them without the key. */
function anyForgery({ ledgers }: World): fc.Arbitrary<Ledger> {
  const all = ledgers.flatMap(({ entries }) => entries);
  if (all.length === 0) return fc.constant({ entries: [] });
  const entry = fc.record({
    id: fc.constantFrom(...all.map(({ id }) => id)),
    name: fc.constantFrom(...all.map((one) => one.name)),
    version: fc.constantFrom(...all.map(({ version }) => version)),
    fingerprint: fc.constantFrom(...all.map(({ fingerprint }) => fingerprint)),
    updatedAt: fc.constantFrom(...all.map(({ updatedAt }) => updatedAt ?? '')),
    created: fc.boolean(),
  });
  return fc.array(entry, { maxLength: 6 }).map((entries) => ({ entries }));
}

/** Any ledger of a project at all: kept once, or forged. */
export function anyLedger(world: World): fc.Arbitrary<Ledger> {
  return fc.oneof(anyKeptLedger(world), anyForgery(world));
}

/** A sync, a project, and a ledger to plan with. */
export function anyCase(
  ledgersOf: (world: World) => fc.Arbitrary<Ledger>,
  fields: Partial<Sync> = {},
  worlds = anyWorld,
): fc.Arbitrary<[Sync, World, Ledger]> {
  return fc
    .tuple(anySync, worlds)
    .chain(([sync, world]) =>
      fc.tuple(fc.constant({ ...sync, ...fields }), fc.constant(world), ledgersOf(world)),
    );
}

/** Enough runs to meet what is rare: a variable that was made anew elsewhere, a forgery that nearly fits. */
export const many = runs(100);
