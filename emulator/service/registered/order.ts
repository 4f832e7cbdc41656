import { createHash } from 'node:crypto';

/**
 * Items in an order that looks random and is the same for the same seed and keys.
 * @param keyOf what an item is known by; items of equal keys stay in order
 */
export function shuffled<T>(items: readonly T[], seed: number, keyOf: (item: T) => string): T[] {
  const place = (item: T) =>
    createHash('sha256')
      .update(`${seed} ${keyOf(item)}`)
      .digest('hex');
  const placed = items.map((item) => ({ item, at: place(item) }));
  return placed
    .toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))
    .map(({ item }) => item);
}
