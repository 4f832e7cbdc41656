/** One measured value in the unit of its row, and what it must not exceed; of a rate or a share, what it must reach. */
export interface Sample {
  value: number;
  bound?: number;
}

/** What was measured under one name, run after run. */
export interface Row {
  name: string;
  unit: 'ms' | 'MB' | 'kB' | 'requests' | 'MB/s' | 'share' | '×';
  samples: readonly Sample[];
  /** What the median must not exceed, where single runs may: those that other work on the machine has disturbed. */
  medianBound?: number;
  /** A drawing of one run, for a fixed width. */
  drawing?: string;
}

/** Measures something and gives its rows as they come. Throws if what it measures did not do its work. */
export type Measurement = () => AsyncGenerator<Row>;

/** The least, the middle and the greatest of some numbers, of which there must be one at least. */
export interface Spread {
  min: number;
  median: number;
  max: number;
}

/** How some numbers are spread. */
export function spread(numbers: readonly number[]): Spread {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const last = sorted.length - 1;
  return {
    min: at(0),
    median: (at(Math.floor(last / 2)) + at(Math.ceil(last / 2))) / 2,
    max: at(last),
  };
}

/** True if every run kept its own bound, or the median kept the row's; undefined if there is none. */
export function holds({ samples, unit, medianBound }: Row): boolean | undefined {
  if (medianBound !== undefined) {
    return spread(samples.map(({ value }) => value)).median <= medianBound;
  }
  const bounded = samples.filter(({ bound }) => bound !== undefined);
  if (bounded.length === 0) return undefined;
  const isReached = unit === 'MB/s' || unit === 'share';
  return bounded.every(({ value, bound = value }) => (isReached ? value >= bound : value <= bound));
}
