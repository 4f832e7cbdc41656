import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempDisposableSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkOutAll } from '../test/support/download.ts';
import { root } from '../test/support/places.ts';

const help = `Builds wrong versions of src/, and plays the seeds or runs the tests that must catch each of them.

  npm run mutants -- [NAME…]

A wrong version is a patch in test/histories/mutants/: its first line names what is wrong, its second one what catches it.`;

const folder = join(root, 'test/histories/mutants');

/** What catches a wrong version, as arguments for Node. */
function catcherOf(by: string): string[] {
  const [, from, to] = /^seeds (\d+) to (\d+)$/.exec(by) ?? [];
  if (from === undefined || to === undefined) {
    return ['node_modules/vitest/vitest.mjs', 'run', '--maxWorkers=1', ...by.split(' ')];
  }
  return ['scripts/histories.ts', '--seed', from, '--to', to, '--first'];
}

/** What was broken, in the words of the seeds' judge or of Vitest, without repetition. */
function brokenIn(output: string): string[] {
  const promises = output.matchAll(/^(?!\{|seed |\d)([a-z][^:\n]*): .+$/gim);
  const names = Array.from(promises, ([, name = '']) => name);
  const tests = Array.from(output.matchAll(/^ *FAIL +(.*)$/gm), ([, name = '']) => name);
  return [...new Set([...names, ...tests])];
}

/** Builds a wrong version in a folder of its own. @returns what was broken; undefined if nothing noticed */
function brokenBy(name: string, by: string): string[] | undefined {
  using copy = mkdtempDisposableSync(join(tmpdir(), 'mutant-'));
  const at = { cwd: copy.path, encoding: 'utf8', maxBuffer: 2 ** 28 } as const;
  checkOutAll(copy.path);
  symlinkSync(join(root, 'node_modules'), join(copy.path, 'node_modules'));
  execFileSync('git', ['apply', join(folder, `${name}.patch`)], at);
  execFileSync(process.execPath, ['scripts/build.ts'], { ...at, stdio: 'inherit' });
  const { status, stdout, stderr } = spawnSync(process.execPath, catcherOf(by), at);
  return status === 0 ? undefined : brokenIn(`${stdout}${stderr}`);
}

/** Says who caught a wrong version. @returns true if somebody did */
function tell(name: string): boolean {
  const [why = '', by = ''] = readFileSync(join(folder, `${name}.patch`), 'utf8').split('\n');
  const broken = brokenBy(name, by.replace('Caught by: ', ''));
  const how = broken === undefined ? ['SURVIVES'] : broken.slice(0, 5);
  console.log([`${name}: ${why}`, ...how].join('\n    '));
  return broken !== undefined;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean', default: false } },
});
if (values.help) {
  console.log(help);
} else {
  const all = readdirSync(folder).map((file) => file.replace(/\.patch$/, ''));
  const chosen = all.filter((name) => positionals.length === 0 || positionals.includes(name));
  const survivors = chosen.filter((name) => !tell(name));
  console.log(`${chosen.length - survivors.length} of ${chosen.length} were caught`);
  process.exitCode = survivors.length === 0 && chosen.length > 0 ? 0 : 1;
}
