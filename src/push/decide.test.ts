import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Decision, decide, type Force, forceOf } from './intent.ts';

const [a, b] = ['a'.repeat(40), 'b'.repeat(40)];

test.each<[name: string, lost: number, gained: number, force: Force, first: string, Decision]>([
  ['a branch that has the commit is left', 0, 0, 'never', a, 'keep'],
  ['… also where it has more', 3, 0, 'never', a, 'keep'],
  ['… also where it might be forced', 3, 0, 'always', a, 'keep'],
  ['… also where it moved meanwhile', 3, 0, 'always', b, 'keep'],
  ['a branch that only grows is pushed to', 0, 2, 'never', a, 'push'],
  ['… without force where that is allowed', 0, 2, 'always', a, 'push'],
  ['… also where it moved meanwhile', 0, 2, { onlyFrom: b }, b, 'push'],
  ['commits are not lost', 1, 2, 'never', a, 'refuse'],
  ['… but by force', 1, 2, 'always', a, 'force'],
  ['… not by force if somebody pushed meanwhile', 1, 2, 'always', b, 'rival'],
  ['… but from this head', 1, 2, { onlyFrom: a }, a, 'force'],
  ['… not from another head', 1, 2, { onlyFrom: b }, a, 'refuse'],
])('%s', (_name, lost, gained, force, first, decision) => {
  expect(decide({ head: a, first, lost, gained }, force)).toBe(decision);
});

test.each<[given: string, isOurs: boolean, Force]>([
  ['auto', true, 'always'],
  ['auto', false, 'never'],
  ['true', false, 'always'],
  ['false', true, 'never'],
  [a, true, { onlyFrom: a }],
])('git-force: %s, on a project of ours alone: %s', (given, isOurs, force) => {
  expect(forceOf(given, isOurs)).toEqual(force);
});

const id = fc.constantFrom(a, b);
const anyForce = fc.oneof(fc.constant('never'), fc.constant('always'), fc.record({ onlyFrom: id }));

test('commits are only ever lost by a force that allows exactly this', () => {
  fc.assert(
    fc.property(id, id, fc.nat(3), fc.nat(3), anyForce, (head, first, lost, gained, force) => {
      const decision = decide({ head, first, lost, gained }, force as Force);
      const mayLose =
        force === 'always' ? head === first : typeof force === 'object' && force.onlyFrom === head;
      if (decision === 'force') expect([mayLose, lost > 0, gained > 0]).toEqual([true, true, true]);
      if (decision === 'push') expect(lost).toBe(0);
    }),
  );
});
