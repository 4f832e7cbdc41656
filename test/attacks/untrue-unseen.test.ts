// Attack (reports): A write's answer is lost, and the read after it fails, too: the run reports only the read
// Defense: The write's error is reported, and that it may be done

import { describe, expect, it } from 'vitest';
import { pairwise } from '../support/exhaustive.ts';
import { startWorld } from '../support/world.ts';
import { answers } from './truth/answers.ts';
import { domainWrites } from './truth/domains.ts';
import { previewWrites } from './truth/previews.ts';
import { untruths } from './truth/rules.ts';
import { variableWrites } from './truth/variables.ts';
import type { Write } from './truth/write.ts';

/** The writes that are looked for after an answer which does not show them. */
const writes: readonly Write[] = [...variableWrites, ...domainWrites, ...previewWrites];

const unshown = answers.filter(({ name }) =>
  ['empty, carried out', 'lost after the effect'].includes(name),
);

const cells = writes.flatMap((write) =>
  unshown.flatMap((answer) =>
    [401, 429].map((status) => ({ name: write.name, kind: answer.name, status, write, answer })),
  ),
);

/** How many reads come before each write, by its name. */
const reads = new Map<string, Promise<number>>();

async function countReads({ operation, arrange }: Write): Promise<number> {
  await using world = await startWorld();
  const arranged = await arrange(world);
  world.emulator.journal.clear();
  await arranged.act();
  const { entries } = world.emulator.journal;
  const first = entries.findIndex((one) => one.operation === operation);
  return entries.slice(0, first).filter(({ method }) => method === 'GET').length;
}

describe.concurrent('where no look is answered after a write', () => {
  const tried = pairwise(cells, ({ write, name, kind, status }) => [
    ...(write.parts ?? [name]),
    kind,
    status,
  ]);
  it.each(tried)('but $status: $name, with an answer $kind', async (cell) => {
    const { operation, arrange } = cell.write;
    const counting = reads.get(cell.name) ?? countReads(cell.write);
    reads.set(cell.name, counting);
    const after = await counting;
    await using world = await startWorld();
    const arranged = await arrange(world);
    const { faults } = world.emulator;
    faults.add({ operation, ...cell.answer.fault(arranged) });
    const { status } = cell;
    const blind = {
      method: 'GET',
      kind: 'status',
      status,
      effect: false,
      times: Infinity,
    } as const;
    const handle = faults.add({ ...blind, after });
    const said = await arranged.act();
    handle.remove();
    const found = untruths(said, arranged.look());
    const again = await arranged.actAgain?.();
    const later = again === undefined ? [] : untruths(again, arranged.look());
    expect([...found, ...later.map((one) => `the next run: ${one}`)], said.log).toEqual([]);
  });
});
