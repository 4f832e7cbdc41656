// Measures against the local world: all, or what the command line names. All of it is written into docs/benchmarks.md.
// Fails if a bound is broken.
import { availableParallelism, loadavg } from 'node:os';
import { styleText } from 'node:util';
import { criticalPath } from './critical-path.ts';
import { firstRequest } from './first-request.ts';
import { fleet } from './fleet.ts';
import { history } from './history.ts';
import { holds, type Measurement, type Row } from './measurement.ts';
import { memory } from './memory.ts';
import { size } from './size.ts';
import { renderTable, writeReport } from './table.ts';

const measurements: Readonly<Record<string, Measurement>> = {
  'first-request': firstRequest,
  'critical-path': criticalPath,
  memory,
  size,
  history,
  fleet,
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !(name in measurements));
if (unknown.length > 0) {
  const known = Object.keys(measurements).join(', ');
  console.error(`There is no measurement named ${unknown.join(', ')}: name some of ${known}.`);
  process.exit(1);
}

const load = () => (loadavg()[0] ?? 0).toFixed(1);
const before = load();
const rows: Row[] = [];
for (const [name, measure] of Object.entries(measurements)) {
  if (names.length > 0 && !names.includes(name)) continue;
  for await (const row of measure()) {
    rows.push(row);
    console.error(styleText('dim', `measured: ${row.name}`));
  }
}
const machine = `Node ${process.version}, ${process.platform} ${process.arch}, ${availableParallelism()} cores`;
const circumstances = `Measured on ${new Date().toISOString().slice(0, 10)}: ${machine}, load average ${before} before and ${load()} after.`;
console.log(`${circumstances}\n\n${renderTable(rows)}`);
if (names.length === 0) writeReport(`${circumstances}\n\n${renderTable(rows)}`);
const broken = rows.filter((row) => !holds(row));
for (const { name } of broken) console.error(`The bound is broken: ${name}`);
// The processes that runs share wait for more.
process.exit(broken.length > 0 ? 1 : 0);
