import { holds, type Row, spread } from './measurement.ts';

const head = ['', 'unit', 'runs', 'min', 'median', 'max', 'bound', 'holds'];

const coarse = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const fine = new Intl.NumberFormat('en', { maximumFractionDigits: 3 });

/** Writes the numbers of a row: shares are near to one another. */
const formatOf = ({ unit }: Row): Intl.NumberFormat['format'] =>
  (unit === 'share' ? fine : coarse).format;

/** The bound, or the least and the greatest where each run has one of its own. */
function describeBound(row: Row): string {
  const { samples, medianBound } = row;
  const format = formatOf(row);
  if (medianBound !== undefined) return format(medianBound);
  const bounds = samples.flatMap(({ bound }) => (bound === undefined ? [] : [bound]));
  if (bounds.length === 0) return '';
  const { min, max } = spread(bounds);
  const ends = new Set([min, max].map(formatOf(row)));
  return [...ends].join(' to ');
}

function cells(row: Row): string[] {
  const { min, median, max } = spread(row.samples.map(({ value }) => value));
  const verdicts = { true: 'yes', false: 'NO', undefined: '' };
  return [
    row.name,
    row.unit,
    String(row.samples.length),
    ...[min, median, max].map(formatOf(row)),
    describeBound(row),
    verdicts[`${holds(row)}`],
  ];
}

/** The rows as a Markdown table whose columns stand straight in a terminal too. */
export function renderTable(rows: readonly Row[]): string {
  const lines = [head, ...rows.map(cells)];
  const widths = head.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  const isText = (column: number) => column < 2;
  const rule = widths.map((width, column) =>
    isText(column) ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  const padded = lines.map((line) =>
    line.map((cell, column) =>
      isText(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    ),
  );
  const [first = [], ...rest] = padded;
  return [first, rule, ...rest].map((line) => `| ${line.join(' | ')} |`).join('\n');
}
