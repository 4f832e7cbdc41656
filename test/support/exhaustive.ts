import process from 'node:process';

/** The mode that Vitest was started in, as `vitest.config.ts` hands it on: `quick`, `test` or `exhaustive`. */
const mode = process.env['TEST_MODE'];

const isExhaustive = mode === 'exhaustive';

/** So many rows of a list, as far from each other as can be: the first and the last are always among them. */
function spread<Row>(all: readonly Row[], count: number): Row[] {
  const step = count > 1 ? (all.length - 1) / (count - 1) : all.length;
  return all.length <= count
    ? [...all]
    : Array.from({ length: count }, (_, index) => all[Math.round(index * step)] as Row);
}

/**
 * The rows of a sweep or of a product that are tried: all of them in `npm run test:exhaustive`, else those that are
 * picked.
 *
 * @param picked how many, spread evenly, the first and the last among them; or which
 * @throws if none is: what tries nothing cannot fail
 */
export function rows<Row>(
  all: readonly Row[],
  picked: number | ((row: Row, index: number) => boolean),
): Row[] {
  if (isExhaustive) return [...all];
  const some = typeof picked === 'number' ? spread(all, picked) : all.filter(picked);
  if (some.length === 0) throw new Error('no row is picked');
  return some;
}

/** The pairs of values that a row has, each as a text. */
function pairsIn(values: readonly unknown[]): string[] {
  return values.flatMap((one, index) =>
    values.slice(index + 1).map((other, after) => JSON.stringify([index, one, after, other])),
  );
}

/**
 * The rows of a product that are tried: all of them in `npm run test:exhaustive`, else so few that each value of a
 * column still meets each value of every other column in one of them, if it does in any row. The same ones each time.
 *
 * @param columns the values of a row, one for each column
 */
export function pairwise<Row>(
  all: readonly Row[],
  columns: (row: Row) => readonly unknown[],
): Row[] {
  if (isExhaustive) return [...all];
  const left = all.map((row) => ({ row, pairs: pairsIn(columns(row)) }));
  const unmet = new Set(left.flatMap(({ pairs }) => pairs));
  const picked = new Set<Row>();
  while (unmet.size > 0) {
    const gains = left.map(({ pairs }) => pairs.filter((pair) => unmet.has(pair)).length);
    const best = left[gains.indexOf(Math.max(...gains))];
    if (best === undefined) break;
    picked.add(best.row);
    for (const pair of best.pairs) unmet.delete(pair);
  }
  return all.filter((row) => picked.has(row));
}

/**
 * How often a property is tried: so often in `npm test`, a tenth of it in `npm run test:quick`, and ten times as often
 * in `npm run test:exhaustive`.
 */
export function runs(usual: number): { numRuns: number } {
  const numRuns = isExhaustive ? usual * 10 : mode === 'quick' ? Math.ceil(usual / 10) : usual;
  return { numRuns };
}
