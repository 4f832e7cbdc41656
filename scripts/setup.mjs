// Runs on whatever Node the machine has (20 or newer): makes a fresh clone ready, and does nothing on a ready one.
import { spawnSync } from 'node:child_process';
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
