import { describe, expect, it } from 'vitest';
import type { ConflictPolicy } from '../../src/variables/intent.ts';
import type { SyncEnd } from '../../src/variables/sync.ts';
import { rows } from '../support/exhaustive.ts';
import {
  memoryLedgers,
  operationsDuring,
  outcomesOf,
  type SyncNow,
  syncNow,
  valuesOf,
  wronglySkipped,
} from '../support/sync.ts';
import { desired, removing } from '../support/variables.ts';
import { startWorld, type World } from '../support/world.ts';
import { expectSound, type Filled, fill, insist, secondClient } from './race.ts';

const policies = ['overwrite', 'keep', 'fail'] as const;
/**
 * Timings for each of nine kinds of race. Six show each variable edited, and each way an answer is lost; of the policies
 * that never overwrite, the one tries the even of them and the other the odd ones.
 */
const seedsOf = (policy: ConflictPolicy) =>
  rows(
    Array.from({ length: 23 }, (_, index) => index + 1),
    (seed) => seed <= 6 && (policy === 'overwrite' || (seed % 2 === 0) === (policy === 'keep')),
  );

const declaredBy = (who: string) => [
  desired('VALUE', { value: `fake value of ${who}` }),
  desired('SAME'),
  desired('TARGETS', who === 'ours' ? { preview: false } : { production: false }),
  desired('NEW', { value: `fake new value of ${who}` }),
];
const ours = declaredBy('ours');
const theirs = declaredBy('theirs');
const byHand = 'the value that a person set by hand';

const reasonOf = ({ result }: SyncEnd, name: string) =>
  result.variables.find((variable) => variable.name === name)?.reason ?? '';

/** The runs after a race: one that settles, and one that has nothing to do. */
async function settle(world: World, { project }: Filled, request: SyncNow, about: string) {
  const next = await syncNow(world, request);
  expect(next.error, about).toBeUndefined();
  expect(wronglySkipped(next, request.variables, project), about).toEqual([]);
  expectSound(project, about);
  const values = valuesOf(project);
  const last = await operationsDuring(world, () => syncNow(world, request));
  expect(last, about).toEqual(['readEnvironment']);
  expect(valuesOf(project), about).toEqual(values);
  return next;
}

/** Under `overwrite` the service ends as the last run declares. */
function expectOurs({ project }: Filled, about: string): void {
  for (const { name, value, preview, production } of ours) {
    const stored = project.variables.find((variable) => variable.name === name);
    expect(stored, about).toMatchObject({ value, preview, production });
  }
}

const removals = removing('DROPPED');
const editable = ['VALUE', 'SAME', 'TARGETS', 'DROPPED', 'NEW'] as const;

async function raceWithPerson(world: World, policy: ConflictPolicy, seed: number): Promise<void> {
  const filled = await fill(world, seed);
  const { project, ledgers } = filled;
  const edited = editable[seed % editable.length] ?? 'VALUE';
  const about = `seed ${seed}: ${edited} by hand`;
  const request = { projectId: project.id, variables: ours, policy, removals, ledgers };
  const person = secondClient(world);
  const [end] = await Promise.all([
    syncNow(world, request),
    insist(person, project.id, edited, byHand),
  ]);
  await person.close();
  expect(end.error, about).toBeUndefined();
  expectSound(project, about);
  const isUnknown = edited === 'NEW' && reasonOf(end, 'NEW').includes('unknown');
  if (policy !== 'overwrite' && !isUnknown) expect(valuesOf(project)[edited], about).toBe(byHand);

  const next = await settle(world, filled, request, about);
  if (policy === 'overwrite') expectOurs(filled, about);
  else if (edited !== 'NEW') expect(valuesOf(project)[edited], about).toBe(byHand);
  if (edited === 'DROPPED') return;
  const told = `${reasonOf(end, edited)} ${reasonOf(next, edited)}`;
  expect(told, about).toMatch(
    edited === 'NEW' ? /outside this action|unknown/ : /changed outside this action/,
  );
}

/** Of two runs that may not overwrite each other, one has written the value and the other says that it has not. */
function expectOneWinner(filled: Filled, ends: readonly SyncEnd[], about: string): void {
  const outcomes = ends.map((end) => outcomesOf(end)['VALUE']);
  const winner = valuesOf(filled.project)['VALUE'] === ours[0]?.value ? 0 : 1;
  expect(valuesOf(filled.project)['VALUE'], about).toBe([ours, theirs][winner]?.[0]?.value);
  expect(outcomes[winner], about).toBe('replaced');
  expect(['kept', 'conflict'], about).toContain(outcomes[1 - winner]);
}

async function raceWithSync(world: World, policy: ConflictPolicy, seed: number): Promise<void> {
  const filled = await fill(world, seed);
  const { project, ledgers } = filled;
  const about = `seed ${seed}`;
  const drops = seed % 2 === 0;
  const common = { projectId: project.id, policy, removals };
  const request = { ...common, variables: ours, ledgers };
  const sharesLedger = policy === 'overwrite' && seed % 3 === 0;
  const rival = {
    ...common,
    variables: drops ? theirs : [...theirs, desired('DROPPED')],
    ledgers: sharesLedger ? ledgers : memoryLedgers(ledgers),
  };
  const client = secondClient(world);
  const ends = await Promise.all([syncNow(world, request), syncNow({ ...world, client }, rival)]);
  await client.close();
  expectSound(project, about);
  for (const { error } of ends) expect(error, about).toBeUndefined();
  if (policy !== 'overwrite') expectOneWinner(filled, ends, about);
  await settle(world, filled, request, about);
  if (policy === 'overwrite') expectOurs(filled, about);
  if (drops && policy !== 'fail') expect(valuesOf(project), about).not.toHaveProperty('DROPPED');
}

/** One of our answers is lost, and somebody sets the same variable as one of our requests arrives. */
async function raceWithLostAnswer(world: World, policy: ConflictPolicy, seed: number) {
  const filled = await fill(world, seed);
  const { project, ledgers } = filled;
  const { journal, faults } = world.emulator;
  const edited = seed % 2 === 0 ? 'VALUE' : 'TARGETS';
  const about = `seed ${seed}: ${edited} by hand`;
  const operation = edited === 'VALUE' ? 'replaceVariable' : 'retargetVariable';
  const kind = seed % 3 === 0 ? 'reset-before' : 'reset-after';
  const fault = faults.add({ operation, kind });
  const moment = (journal.entries.at(-1)?.n ?? 0) + 2 + (seed % 3);
  const request = { projectId: project.id, variables: ours, policy, ledgers };
  const [end] = await Promise.all([
    syncNow(world, request),
    journal
      .waitFor(({ n }) => n === moment)
      .then(() => project.setVariable({ name: edited, value: byHand })),
  ]);
  expect(fault.fired, about).toBe(1);
  expect(end.error, about).toBeUndefined();
  expectSound(project, about);
  if (policy !== 'overwrite') expect(valuesOf(project)[edited], about).toBe(byHand);
  const next = await settle(world, filled, request, about);
  if (policy === 'overwrite') expectOurs(filled, about);
  else expect(valuesOf(project)[edited], about).toBe(byHand);
  const told = `${reasonOf(end, edited)} ${reasonOf(next, edited)}`;
  expect(told, about).toMatch(/changed outside this action|written again after a lost response/);
}

const rivals = [
  ['a person who edits by hand', raceWithPerson],
  ['another sync of the same project', raceWithSync],
  ['an edit by hand, with an answer lost', raceWithLostAnswer],
] as const;
const cases = rivals.flatMap(([name, race]) =>
  policies.map((policy) => [name, policy, race] as const),
);

describe.concurrent('a sync at the same moment as', () => {
  it.each(cases)(
    '%s, under %s, loses no value and leaves no duplicate, whatever the timing',
    async (_, policy, race) => {
      await using world = await startWorld({ timeout: 60 * 60_000 });
      for (const seed of seedsOf(policy)) await race(world, policy, seed);
    },
  );
});
