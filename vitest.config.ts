import { defineConfig } from 'vitest/config';
import { MixedOrder } from './test/support/order.ts';
import { temporaryFolder } from './test/support/temporary-folder.ts';

/** Tests that replace the timers, which what is loaded already would not see. */
const alone = ['test/service/timeouts.test.ts'];

/** Tests of what a run of the product does not load: the emulator, the scripts, and the examples, which run whole workflows. */
const tools = [
  'emulator/test/**/*.test.ts',
  'test/examples/**/*.test.ts',
  'test/scripts/**/*.test.ts',
];

/** One scene of each action and of each outcome, as GitHub starts it, run with the tests of the sources. */
const scenes = [
  'outcomes',
  'main-job',
  'pull-request',
  'env-sync',
  'domains',
  'message',
  'projects',
].map((name) => `test/dist/${name}.test.ts`);

/** All other tests of the built action: what only a process shows, what the outside does wrong on purpose, and what runs over each other leave; and each outcome of the command. */
const endToEnd = [
  'test/cli/outcomes.test.ts',
  'test/dist/**/*.test.ts',
  'test/attacks/**/*.test.ts',
  'test/histories/**/*.test.ts',
];

/** Tests by GitHub's language service, which imports JSON in a way that Vite takes and Node does not. */
const byVite = ['test/workflows.test.ts', 'test/docs/pages.test.ts', 'test/docs/workflows.test.ts'];

export default defineConfig(({ mode }) => ({
  // The language service ships source maps without their sources, and Vite would say so fifty times.
  logLevel: 'error',
  test: {
    globalSetup: 'test/support/unpack.ts',
    testTimeout: 180_000,
    // Each test at work beside others may need a process that has loaded `dist/`: more of them cost more than they save.
    maxConcurrency: 5,
    // Most tests wait for child processes and sockets, so more of them than there are cores can run.
    maxWorkers: 6,
    // Sockets and their buffers come and go by the thousand, for which V8 would mark a small heap as a whole each second.
    execArgv: ['--initial-old-space-size=512', '--min-semi-space-size=16'],
    // How much is tried goes by the mode: see test/support/exhaustive.ts.
    env: { TMPDIR: temporaryFolder(), TEST_MODE: mode },
    sequence: { sequencer: MixedOrder },
    reporters: ['default', 'json'],
    outputFile: { json: 'build/tests.json' },
    // Node runs TypeScript by itself. Vite's own way takes a twentieth more: each import is a getter of an object.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      { extends: true, test: { name: 'alone', include: alone } },
      {
        extends: true,
        test: {
          name: 'by Vite',
          include: byVite,
          isolate: false,
          experimental: { viteModuleRunner: true },
          server: {
            deps: { inline: [/@actions\/(languageservice|workflow-parser|expressions)/] },
          },
        },
      },
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['{src,test}/**/*.test.ts'],
          exclude: [...alone, ...byVite, ...tools, ...endToEnd],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'scenes', include: scenes, isolate: false } },
      {
        extends: true,
        test: { name: 'e2e', include: endToEnd, exclude: scenes, isolate: false },
      },
      { extends: true, test: { name: 'tools', include: tools, isolate: false } },
    ],
  },
}));
