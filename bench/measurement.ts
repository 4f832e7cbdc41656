/** What was measured under one name, run after run. */
export interface Row {
  name: string;
  unit: 'ms' | 'MB' | 'kB' | 'requests' | 'share' | '×';
  values: readonly number[];
  /** What the median must not exceed; what it must reach, if it is a share. */
  bound?: number;
}

/** Measures something and gives its rows as they come. Throws if what it measures did not do its work. */
export type Measurement = () => AsyncGenerator<Row>;

/** The middle of some numbers, of which there must be one at least. */
export function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const last = sorted.length - 1;
  const [low = Number.NaN, high = Number.NaN] = [Math.floor, Math.ceil].map(
    (round) => sorted[round(last / 2)],
  );
  return (low + high) / 2;
}

/** False if the median breaks the row's bound. */
export function holds({ unit, values, bound }: Row): boolean {
  if (bound === undefined) return true;
  const median = medianOf(values);
  return unit === 'share' ? median >= bound : median <= bound;
}

/** Repeats a measurement that has one value a run. */
export async function repeat(runs: number, measure: () => Promise<number>): Promise<number[]> {
  const values: number[] = [];
  for (let run = 0; run < runs; run += 1) values.push(await measure());
  return values;
}
