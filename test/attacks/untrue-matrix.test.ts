import { describe, expect, it } from 'vitest';
import type { DialectOptions } from '../../src/emulator/index.ts';
import { startWorld } from '../support/world.ts';
import { type Answer, answers, isLate } from './truth/answers.ts';
import { deeds } from './truth/deeds.ts';
import { domainWrites } from './truth/domains.ts';
import { previewWrites } from './truth/previews.ts';
import { untruths } from './truth/rules.ts';
import { variableWrites } from './truth/variables.ts';
import type { Write } from './truth/write.ts';

/** Every write of the service's interface. */
const writes: readonly Write[] = [...variableWrites, ...deeds, ...domainWrites, ...previewWrites];

const isKnowable = ({ unknowable = {} }: Write, { name }: Answer) => unknowable[name] === undefined;

/** Every write with each answer that it may get. */
const pairs = writes.flatMap((write) =>
  answers
    .filter(({ isOfBefore = false }) => write.hasBefore || !isOfBefore)
    .filter(({ isBare = false }) => write.hasBare || !isBare)
    .map((answer) => ({ write, answer, isKnowable: isKnowable(write, answer) })),
);

const cells = pairs
  .filter((pair) => pair.isKnowable)
  .flatMap(({ write, answer }) =>
    Object.entries(write.dialects).map(([dialect, options]) => ({
      name: write.name,
      kind: answer.name,
      dialect,
      write,
      answer,
      options,
    })),
  );

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

describe.concurrent('what a step says is so', () => {
  it.each(cells)('of: $name, with an answer $kind, where $dialect', async (cell) => {
    expect(await play(cell.write, cell.answer, cell.options)).toBe('');
  });
});

describe.concurrent('what nobody can know is still not known', () => {
  it.each(
    pairs
      .filter((pair) => !pair.isKnowable)
      .map((pair) => ({ ...pair, name: pair.write.name, kind: pair.answer.name })),
  )('of: $name, with an answer $kind', async ({ write, answer }) => {
    const found: string[] = [];
    for (const options of Object.values(write.dialects)) {
      found.push(await play(write, answer, options));
    }
    expect(found.join('')).not.toBe('');
  });
});
