import { defineConfig } from 'vitest/config';
import { temporaryFolder } from './test/support/temporary-folder.ts';

/** The examples by act: `npm run test:act` installs it, and says where it is. */
export default defineConfig({
  test: {
    include: ['test/act/*.act.ts'],
    testTimeout: 180_000,
    maxWorkers: 2,
    env: { TMPDIR: temporaryFolder() },
    reporters: ['default', 'json'],
    outputFile: { json: 'build/act-tests.json' },
  },
});
