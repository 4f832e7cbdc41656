import { defineConfig } from 'vitest/config';

export default defineConfig({
  // The language service ships source maps without their sources, and Vite would say so fifty times.
  logLevel: 'error',
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    maxConcurrency: 10,
    // Most tests wait for child processes and sockets, so more of them than there are cores can run.
    maxWorkers: 4,
    reporters: ['default', 'json'],
    outputFile: { json: 'build/tests.json' },
    server: { deps: { inline: [/@actions\/(languageservice|workflow-parser|expressions)/] } },
  },
});
