// Measures against the local world: all, or what the command line names, without what it skips. Writes the tables into
// docs/benchmarks.md, and fails if a bound is broken.
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs, styleText } from 'node:util';
import { cleaning } from './cleaning.ts';
import { criticalPath } from './critical-path.ts';
import { detection } from './detection.ts';
import { firstRequest } from './first-request.ts';
import { fleet } from './fleet.ts';
import { holds, type Measurement, type Row } from './measurement.ts';
import { memory } from './memory.ts';
import { page, pageMemory } from './page.ts';
import { pushing } from './push.ts';
import { writeReport } from './report.ts';
import { shell } from './shell.ts';
import { size } from './size.ts';
import { startUp } from './start-up.ts';
import { sync } from './sync.ts';
import { renderTable } from './table.ts';
import { turn } from './turn.ts';
import { unchanged } from './unchanged.ts';

const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    skip: { type: 'string', multiple: true, default: [] },
    minutes: { type: 'string', default: '10' },
  },
});

const minutes = Number(values.minutes);
if (!(minutes > 0)) {
  console.error(`--minutes must be a number above 0, not ${values.minutes}.`);
  process.exit(1);
}
const pageForMinutes: Measurement = () => pageMemory(minutes);

const measurements = new Map<string, Measurement>([
  ['first-request', firstRequest],
  ['start-up', startUp],
  ['critical-path', criticalPath],
  ['shell', shell],
  ['detection', detection],
  ['sync', sync],
  ['unchanged', unchanged],
  ['fleet', fleet],
  ['memory', memory],
  ['page', page],
  ['page-memory', pageForMinutes],
  ['turn', turn],
  ['cleaning', cleaning],
  ['size', size],
  ['push', pushing],
]);

const load = () => (loadavg()[0] ?? 0).toFixed(1);

/** When, on what, and beside how much other work. */
const circumstances = (before: string): string =>
  `Measured on ${new Date().toISOString().slice(0, 10)}, Node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} cores, load average ${before} before and ${load()} after.`;

/** The table of some rows, and what some of them draw. */
function describe(rows: readonly Row[]): string {
  const drawings = rows.flatMap(({ name, drawing }) =>
    drawing === undefined ? [] : [`One run of ${name}:\n\n\`\`\`text\n${drawing}\n\`\`\``],
  );
  return [renderTable(rows), ...drawings].join('\n\n');
}

/** Runs one measurement, prints its table and writes it down; gives the rows whose bound is broken. */
async function print(name: string, measure: Measurement): Promise<Row[]> {
  console.log(`\n${styleText('bold', name)}`);
  const rows: Row[] = [];
  const before = load();
  for await (const row of measure()) {
    rows.push(row);
    console.error(styleText('dim', `measured: ${row.name}`));
  }
  console.log(describe(rows));
  // What was skipped here keeps the table of a machine where it was not.
  if (rows.length > 0) writeReport(name, `${circumstances(before)}\n\n${describe(rows)}`);
  return rows.filter((row) => holds(row) === false);
}

const unknown = [...names, ...values.skip].filter((name) => !measurements.has(name));
if (unknown.length > 0) {
  const known = [...measurements.keys()].join(', ');
  console.error(`There is no measurement named ${unknown.join(', ')}: name some of ${known}.`);
  process.exit(1);
}

console.log(`Node ${process.version}, ${process.platform} ${process.arch}`);
console.log(`${availableParallelism()} cores, load average before: ${load()}`);
const broken: Row[] = [];
for (const [name, measure] of measurements) {
  const isNamed = names.length === 0 || names.includes(name);
  if (isNamed && !values.skip.includes(name)) broken.push(...(await print(name, measure)));
}
console.log(`\nLoad average after: ${load()}`);
for (const { name } of broken) console.error(`The bound is broken: ${name}`);
if (broken.length > 0) process.exitCode = 1;
