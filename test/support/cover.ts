/**
 * Rows in which each two values of two fields meet, as the place of each field's value in its list. The same ones each
 * time. Where several values would do, a row gets the first of them, so what stands first in a list is tried the most.
 *
 * The library for it that is kept, covertable, takes minutes for ninety lists, or makes more rows, and has no first choice:
 * half the services would be the slowest.
 */
export function coverPairs(lists: readonly (readonly unknown[])[]): number[][] {
  const fields = lists.map((list, field) => ({ field, count: list.length }));
  // The longest list first: its values are what the number of rows depends on.
  const inOrder = fields.toSorted((a, b) => b.count - a.count).map(({ field }) => field);
  const unmet = new Map<string, readonly [number, number, number, number]>();
  const nameOf = (a: number, one: number, b: number, other: number) =>
    a < b ? `${a}=${one} ${b}=${other}` : `${b}=${other} ${a}=${one}`;
  for (const [at, a] of fields.entries()) {
    for (const b of fields.slice(at + 1)) {
      for (let one = 0; one < a.count; one += 1) {
        for (let other = 0; other < b.count; other += 1) {
          unmet.set(nameOf(a.field, one, b.field, other), [a.field, one, b.field, other]);
        }
      }
    }
  }
  const rows: number[][] = [];
  for (const [a, one, b, other] of unmet.values()) {
    const row = new Map([
      [a, one],
      [b, other],
    ]);
    for (const field of inOrder) {
      if (row.has(field)) continue;
      const gains = Array.from(lists[field] ?? [], (_, value) => {
        const met = [...row].filter(([of, its]) => unmet.has(nameOf(field, value, of, its)));
        return met.length;
      });
      row.set(field, gains.indexOf(Math.max(...gains)));
    }
    const given = [...row].toSorted(([x], [y]) => x - y);
    for (const [at, [x, its]] of given.entries()) {
      for (const [y, others] of given.slice(at + 1)) unmet.delete(nameOf(x, its, y, others));
    }
    rows.push(given.map(([, value]) => value));
  }
  return rows;
}
