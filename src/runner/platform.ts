import type { Platform, StepEnvironment } from '../platform.ts';
import { createLog } from './log.ts';
import { maskSecrets, readContext } from './runner.ts';

/** GitHub's runner. */
export const gitHub = (environment: StepEnvironment): Platform => ({
  environment,
  problems: [],
  secrets: [],
  readContext: () => readContext(environment),
  mask: maskSecrets,
  openLog: createLog,
  load: async () => (await import('./runner-files.ts')).runnerFiles(environment),
});
