import { defineConfig } from 'vitest/config';

/** Tests of decisions: they start nothing and change nothing global, so that files can share what is loaded. */
const pure = ['test/{core,contract,inputs}/**/*.test.ts'];
/** Tests that replace the timers, which what is loaded already would not see. */
const alone = ['test/service/timeouts.test.ts'];

export default defineConfig({
  // The language service ships source maps without their sources, and Vite would say so fifty times.
  logLevel: 'error',
  test: {
    testTimeout: 60_000,
    maxConcurrency: 10,
    // Most tests wait for child processes and sockets, so more of them than there are cores can run.
    maxWorkers: 4,
    reporters: ['default', 'json'],
    outputFile: { json: 'build/tests.json' },
    server: { deps: { inline: [/@actions\/(languageservice|workflow-parser|expressions)/] } },
    projects: [
      { extends: true, test: { name: 'pure', include: pure, isolate: false, pool: 'threads' } },
      { extends: true, test: { name: 'alone', include: alone } },
      {
        extends: true,
        test: {
          name: 'real',
          include: ['test/**/*.test.ts'],
          exclude: [...pure, ...alone],
          isolate: false,
        },
      },
    ],
  },
});
