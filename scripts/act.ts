// Plays the examples by act, another runner than GitHub's and than our own, and builds by Woodpecker's.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { install, installOrSkip, orSkip } from './tools.ts';

orSkip('The examples by act', () => {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.act.config.ts'];
  const { status } = spawnSync(process.execPath, [...vitest, ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: {
      ...process.env,
      ACT: install('act'),
      WOODPECKER: installOrSkip('Builds by woodpecker-cli', 'woodpecker-cli'),
    },
  });
  return status ?? 1;
});
