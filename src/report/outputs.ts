import type { PlannedChange } from '../kernel/change.ts';
import { defuseJson } from '../kernel/text/safe.ts';

/** The most bytes of an output of variable length. GitHub allows 1 MiB for a job's outputs, two bytes per character. */
const longestOutput = 256_000;

/** Room for the number of omitted items. */
const spaceForCount = 40;

/** A value as JSON that a later step may print: it contains no workflow command. */
export function jsonOutput(value: unknown): string {
  return defuseJson(JSON.stringify(value));
}

/** The items of a list that fit into so many bytes, as JSON, in order, and the number of omitted ones. */
function fittingItems(items: readonly unknown[], space: number) {
  const texts = items.map(jsonOutput);
  const sizes = texts.map((text) => Buffer.byteLength(text) + 1);
  const size = sizes.reduce((sum, one) => sum + one, 0);
  if (size <= space) return { texts, leftOut: 0 };
  let left = space - spaceForCount;
  const fitting = texts.filter((_, index) => {
    const one = sizes[index] ?? 0;
    if (one > left) return false;
    left -= one;
    return true;
  });
  return { texts: fitting, leftOut: texts.length - fitting.length };
}

/** A list as an output. If it is too long, items are omitted, and a last item has their number. */
export function listOutput(items: readonly unknown[]): string {
  const { texts, leftOut } = fittingItems(items, longestOutput - 2);
  if (leftOut > 0) texts.push(jsonOutput({ 'left-out': leftOut }));
  return `[${texts.join(',')}]`;
}

/** A plan as an output. If it is too long, changes are omitted, and a field has their number. */
export function planOutput(digest: string, changes: readonly PlannedChange[]): string {
  const begin = `{"digest":${jsonOutput(digest)},"changes":[`;
  const { texts, leftOut } = fittingItems(changes, longestOutput - begin.length - 2);
  const more = leftOut === 0 ? '' : `,"left-out":${leftOut}`;
  return `${begin}${texts.join(',')}]${more}}`;
}
