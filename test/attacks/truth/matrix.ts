import { describe, expect, it } from 'vitest';
import type { DialectOptions } from '../../../emulator/index.ts';
import { pairwise, rows } from '../../support/exhaustive.ts';
import { startWorld } from '../../support/world.ts';
import { type Answer, answers, isLate } from './answers.ts';
import { untruths } from './rules.ts';
import type { Write } from './write.ts';

const isKnowable = ({ unknowable = {} }: Write, { name }: Answer) => unknowable[name] === undefined;

/** Plays a write with one answer, and the run after it; gives what was said that is not so. */
async function play(
  { operation, arrange }: Write,
  { fault }: Answer,
  options: DialectOptions,
): Promise<string> {
  await using world = await startWorld({ dialect: options });
  const arranged = await arrange(world);
  const { faults, journal } = world.emulator;
  const kind = fault(arranged);
  journal.clear();
  const handle = faults.add({ operation, ...kind });
  const said = await arranged.act();
  expect(handle.fired).toBe(1);
  const [struck] = journal.of(operation);
  if (isLate(kind)) await journal.waitFor((one) => one === struck && one.carriedOut > 0);
  const found = untruths(said, arranged.look());
  const again = await arranged.actAgain?.();
  const later = again === undefined ? [] : untruths(again, arranged.look());
  return [...found, ...later.map((one) => `the next run: ${one}`)].join('; ');
}

/** Writes with each answer that they may get; of a family of answers, each write gets the next one. */
const pairsOf = (writes: readonly Write[]) =>
  writes.flatMap((write, index) => {
    const possible = answers
      .filter(({ isOfBefore = false }) => write.hasBefore || !isOfBefore)
      .filter(({ isBare = false }) => write.hasBare || !isBare);
    const isItsTurn = (answer: Answer) => {
      const { family = answer.name } = answer;
      const alike = possible.filter((one) => (one.family ?? one.name) === family);
      return alike[index % alike.length] === answer;
    };
    return rows(possible, isItsTurn).map((answer) => ({
      write,
      answer,
      name: write.name,
      kind: answer.name,
    }));
  });

/** Tries writes with each answer that they may get, in each dialect that makes a difference. */
export function tryWrites(writes: readonly Write[]): void {
  const cells = pairsOf(writes)
    .filter(({ write, answer }) => isKnowable(write, answer))
    .flatMap((pair) =>
      Object.entries(pair.write.dialects).map(([dialect, options]) => ({
        ...pair,
        dialect,
        options,
      })),
    );

  describe.concurrent('what a step says is so', () => {
    const tried = pairwise(cells, ({ write, name, kind, dialect }) => [
      ...(write.parts ?? [name]),
      kind,
      dialect,
    ]);
    it.each(tried)('of: $name, with an answer $kind, where $dialect', async (cell) => {
      expect(await play(cell.write, cell.answer, cell.options)).toBe('');
    });
  });
}

/** Tries the answers to writes by which nobody can know better, so that none is called so in vain. */
export function tryUnknowable(writes: readonly Write[]): void {
  const pairs = pairsOf(writes).filter(({ write, answer }) => !isKnowable(write, answer));

  describe.concurrent('what nobody can know is still not known', () => {
    it.each(pairs)('of: $name, with an answer $kind', async ({ write, answer }) => {
      let found = '';
      for (const options of Object.values(write.dialects)) {
        found ||= await play(write, answer, options);
      }
      expect(found).not.toBe('');
    });
  });
}
