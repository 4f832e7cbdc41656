import type { PlannedChange } from '../kernel/change.ts';
import { defuseJson } from '../kernel/text/clean.ts';

/** The most bytes of an output that can grow. GitHub takes 1 MiB of a job's outputs, at two bytes a character. */
const longestOutput = 256_000;

/** Room for what says how many items are left out. */
const roomForCount = 40;

/** A value as JSON that a later step may print: the runner reads no command in it. */
export function jsonOutput(value: unknown): string {
  return defuseJson(JSON.stringify(value));
}

/** The items of a list that fit into so many bytes, as JSON, in their order, and how many are left out. */
function fittingItems(items: readonly unknown[], room: number) {
  const texts = items.map(jsonOutput);
  const sizes = texts.map((text) => Buffer.byteLength(text) + 1);
  const size = sizes.reduce((sum, one) => sum + one, 0);
  if (size <= room) return { texts, leftOut: 0 };
  let left = room - roomForCount;
  const fitting = texts.filter((_, index) => {
    const one = sizes[index] ?? 0;
    if (one > left) return false;
    left -= one;
    return true;
  });
  return { texts: fitting, leftOut: texts.length - fitting.length };
}

/** A list as an output. If it is too long, whole items are left out, and a last one says how many. */
export function listOutput(items: readonly unknown[]): string {
  const { texts, leftOut } = fittingItems(items, longestOutput - 2);
  const more = leftOut === 0 ? [] : [jsonOutput({ 'left-out': leftOut })];
  return `[${[...texts, ...more].join(',')}]`;
}

/** A plan as an output. If it is too long, whole changes are left out, and a field says how many. */
export function planOutput(digest: string, changes: readonly PlannedChange[]): string {
  const begin = `{"digest":${jsonOutput(digest)},"changes":[`;
  const { texts, leftOut } = fittingItems(changes, longestOutput - begin.length - 2);
  const more = leftOut === 0 ? '' : `,"left-out":${leftOut}`;
  return `${begin}${texts.join(',')}]${more}}`;
}
