// Measures against the local world: all, or what the command line names, without what it skips. Fails if a bound
// is broken.
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs, styleText } from 'node:util';
import { bringing } from './bring.ts';
import { cleaning } from './cleaning.ts';
import { criticalPath } from './critical-path.ts';
import { detection } from './detection.ts';
import { firstRequest } from './first-request.ts';
import { fleet } from './fleet.ts';
import { holds, type Measurement, type Row } from './measurement.ts';
import { memory } from './memory.ts';
import { startUp } from './start-up.ts';
import { sync } from './sync.ts';
import { renderTable } from './table.ts';
import { turn } from './turn.ts';
import { unchanged } from './unchanged.ts';

const measurements = new Map<string, Measurement>([
  ['detection', detection],
  ['critical-path', criticalPath],
  ['sync', sync],
  ['unchanged', unchanged],
  ['fleet', fleet],
  ['memory', memory],
  ['turn', turn],
  ['cleaning', cleaning],
  ['first-request', firstRequest],
  ['start-up', startUp],
  ['bring', bringing],
]);

/** Runs one measurement and prints its table; gives the rows whose bound is broken. */
async function print(name: string, measure: Measurement): Promise<Row[]> {
  console.log(`\n${styleText('bold', name)}`);
  const rows: Row[] = [];
  for await (const row of measure()) {
    rows.push(row);
    console.error(styleText('dim', `measured: ${row.name}`));
  }
  console.log(renderTable(rows));
  for (const { name, drawing } of rows) {
    if (drawing !== undefined) console.log(`\n${name}\n\n${drawing}`);
  }
  return rows.filter((row) => holds(row) === false);
}

const load = () => loadavg()[0]?.toFixed(2);
const { values, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { skip: { type: 'string', multiple: true, default: [] } },
});
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
