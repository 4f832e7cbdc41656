// Runs on whatever Node the machine has (20 or newer): makes a fresh clone ready, and does nothing on a ready one.
// A script that is named is then run with the Node of the dev dependencies. An npm in between would forget where the
// person is (INIT_CWD), and the paths on the command line are meant from there.
import { spawn, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';

const modified = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

const installed = modified('node_modules/.package-lock.json');
if (installed === 0 || installed < modified('package-lock.json')) {
  const { status } = spawnSync('npm ci --include=dev --no-audit --no-fund --loglevel=error', {
    shell: true,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}

const [script, ...args] = process.argv.slice(2);
if (script !== undefined && !process.exitCode) {
  const node = `node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`;
  const child = spawn(node, [script, ...args], { stdio: 'inherit' });
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
  // The terminal tells the child too, which ends in its own time.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
}
