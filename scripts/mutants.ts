import { execFile } from 'node:child_process';
import { mkdtempDisposableSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import pLimit from 'p-limit';
import { type Mutant, mutants, mutate } from '../test/histories/mutate.ts';
import { checkOutAll } from '../test/support/download.ts';
import { root } from '../test/support/places.ts';

const help = `Makes wrong versions of src/, and runs the seeds or the tests that must catch each of them.

  npm run mutants -- [NAME…]

test/histories/mutants.yml has them. The seed or test that is named there comes first, then the other seeds.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean', default: false } },
});

/** The seeds that catch something, those that catch the most first. */
const seeds = [...Map.groupBy(Object.values(mutants), ({ by }) => by)]
  .sort(([, some], [, others]) => others.length - some.length)
  .flatMap(([by]) => (typeof by === 'number' ? [by] : []));

const play = (chosen: readonly number[], ...more: string[]) => [
  'scripts/histories.ts',
  ...chosen.flatMap((seed) => ['--seed', `${seed}`]),
  ...more,
];

/** What catches a wrong version, one after the other, as arguments for Node. */
function catchersOf({ by }: Mutant): string[][] {
  const rest = play([...seeds, 1], '--to', '60', '--first');
  return typeof by === 'number'
    ? [play([by]), rest]
    : [['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1', '--bail=1', by], rest];
}

/** Copies the working tree, with a dist/ that loads src/: so nothing must be built. */
function copyTo(folder: string): void {
  checkOutAll(folder);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'dist/index.js'), "module.exports = require('../src/main.ts');\n");
}

/** Runs a script in a copy. @returns the first promise that was broken, or test that failed; undefined if all went well */
function brokenIn(folder: string, script: readonly string[]): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const env = { ...process.env, ACTIONS_ROOT: folder, NO_COLOR: '1' };
  const options = { cwd: folder, env, maxBuffer: 2 ** 28 };
  execFile(process.execPath, script, options, (error, stdout, stderr) => {
    const [, seed, broken] = /^(seed \d+) broke:\n(.*?):/m.exec(stdout) ?? [];
    const [, failed] = /^ *FAIL +(.*)$/m.exec(`${stdout}${stderr}`) ?? [];
    if (error === null) resolve(undefined);
    else resolve(seed === undefined ? (failed ?? `${error}`) : `${seed}: ${broken}`);
  });
  return promise;
}

/** Says who caught a wrong version. @returns true if somebody did */
async function tell([name, mutant]: [string, Mutant]): Promise<boolean> {
  using copy = mkdtempDisposableSync(join(tmpdir(), 'mutant-'));
  copyTo(copy.path);
  const file = join(copy.path, mutant.in);
  writeFileSync(file, mutate(readFileSync(file, 'utf8'), mutant));
  for (const script of catchersOf(mutant)) {
    const broken = await brokenIn(copy.path, script);
    if (broken === undefined) continue;
    console.log(`${name}: caught by ${broken}`);
    return true;
  }
  console.log(`${name}: SURVIVES. ${mutant.why}`);
  return false;
}

/** Plays on the version that is right what catches the wrong ones. */
async function tellRight(): Promise<boolean> {
  using copy = mkdtempDisposableSync(join(tmpdir(), 'mutant-'));
  copyTo(copy.path);
  const broken = await brokenIn(copy.path, play(seeds));
  console.log(`no mutant: ${broken ?? `seeds ${seeds.join(', ')} pass`}`);
  return broken === undefined;
}

if (values.help) {
  console.log(help);
} else {
  const limit = pLimit(2);
  const chosen = Object.entries(mutants).filter(
    ([name]) => positionals.length === 0 || positionals.includes(name),
  );
  const right = limit(tellRight);
  const ends = await Promise.all(chosen.map((one) => limit(tell, one)));
  const caught = ends.filter(Boolean).length;
  const isRight = await right;
  console.log(`${chosen.length} mutants: ${caught} caught`);
  process.exitCode = isRight && caught === chosen.length && caught > 0 ? 0 : 1;
}
