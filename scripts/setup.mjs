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

const isThere = (id) => {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return error.code !== 'ESRCH';
  }
};

/** Calls `end` once the npm that started this process is gone: it tells its shell at most, which tells nobody. */
function endWithNpm(end) {
  const parent = process.ppid;
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,comm=', '-p', String(parent)], {
    encoding: 'utf8',
  });
  // A shell that runs one command may have become it; then the parent is npm, and who started that may go.
  const [, shells] = /^\s*(\d+)\s.*\b(?:sh|bash|dash|zsh)\s*$/.exec(stdout ?? '') ?? [];
  const npm = shells === undefined ? parent : Number(shells);
  const isGone = () => process.ppid !== parent || !isThere(npm);
  const watch = setInterval(() => {
    if (!isGone()) return;
    clearInterval(watch);
    end();
  }, 500).unref();
}

const [script, ...args] = process.argv.slice(2);
if (script !== undefined && !process.exitCode) {
  const node = `node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`;
  // Without this process the child is told by its end of the channel.
  const child = spawn(node, [script, ...args], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
  // The terminal tells the child too, which ends in its own time.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  if (process.env.npm_lifecycle_event !== undefined) endWithNpm(() => child.kill('SIGTERM'));
}
