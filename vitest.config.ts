import { defineConfig } from 'vitest/config';
import { MixedOrder } from './test/support/order.ts';
import { temporaryFolder } from './test/support/temporary-folder.ts';

/** Tests that replace the timers, which what is loaded already would not see. */
const alone = ['test/service/timeouts.test.ts'];

export default defineConfig({
  // The language service ships source maps without their sources, and Vite would say so fifty times.
  logLevel: 'error',
  test: {
    globalSetup: 'test/support/unpack.ts',
    testTimeout: 180_000,
    // Each test at work beside others may need a process that has loaded `dist/`: more of them cost more than they save.
    maxConcurrency: 5,
    // Most tests wait for child processes and sockets, so more of them than there are cores can run.
    maxWorkers: 4,
    // Sockets and their buffers come and go by the thousand, for which V8 would mark a small heap as a whole each second.
    execArgv: ['--initial-old-space-size=512', '--min-semi-space-size=16'],
    env: { TMPDIR: temporaryFolder() },
    sequence: { sequencer: MixedOrder },
    reporters: ['default', 'json'],
    outputFile: { json: 'build/tests.json' },
    server: { deps: { inline: [/@actions\/(languageservice|workflow-parser|expressions)/] } },
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      {
        extends: true,
        test: { name: 'shared', include: ['test/**/*.test.ts'], exclude: alone, isolate: false },
      },
    ],
  },
});
