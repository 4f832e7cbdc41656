import { readFileSync, writeFileSync } from 'node:fs';
import { holds, medianOf, type Row } from './measurement.ts';

const page = new URL('../docs/benchmarks.md', import.meta.url);
const [begin, end] = ['<!-- measured -->', '<!-- end of what was measured -->'];

function cells(row: Row): string[] {
  const { name, unit, values, bound } = row;
  const { format } = new Intl.NumberFormat('en', {
    maximumFractionDigits: unit === 'share' || unit === '×' ? 2 : 0,
  });
  const numbers = [Math.min(...values), medianOf(values), Math.max(...values)];
  const mark = holds(row) ? '' : ', not met';
  return [name, unit, ...numbers.map(format), bound === undefined ? '' : format(bound) + mark];
}

/** The rows as a Markdown table. */
export function renderTable(rows: readonly Row[]): string {
  const head = ['', 'unit', 'min', 'median', 'max', 'bound of the median'];
  const rule = ['---', '---', '--:', '--:', '--:', '--:'];
  return [head, rule, ...rows.map(cells)].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

/** Puts what was measured between its marks in `docs/benchmarks.md`, in place of what was there. */
export function writeReport(measured: string): void {
  const text = readFileSync(page, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error('docs/benchmarks.md has no place for the table');
  writeFileSync(page, `${text.slice(0, from + begin.length)}\n\n${measured}\n\n${text.slice(to)}`);
}
