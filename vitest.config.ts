import { defineConfig } from 'vitest/config';

export default defineConfig({
  // The language service ships source maps without their sources, and Vite would say so fifty times.
  logLevel: 'error',
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    maxConcurrency: 10,
    reporters: ['default', 'json'],
    outputFile: { json: 'build/tests.json' },
    server: { deps: { inline: [/@actions\/(languageservice|workflow-parser|expressions)/] } },
  },
});
