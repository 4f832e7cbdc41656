import { onCancel, readFileBelow } from '../../machine.ts';
import type { Platform, StepEnvironment } from '../../platform.ts';
import { createLog } from './log.ts';
import { inputIn, jobTokens, maskSecrets, readContext } from './runner.ts';

/** GitHub's runner. */
export const gitHub = (environment: StepEnvironment): Platform => ({
  started: Date.now(),
  input: inputIn(environment),
  environment,
  problems: [],
  secrets: jobTokens(environment),
  readContext: () => readContext(environment),
  readFile: (path) => readFileBelow(environment['GITHUB_WORKSPACE'] ?? '', path),
  onCancel,
  mask: maskSecrets,
  openLog: createLog,
  load: async () => (await import('./runner-files.ts')).runnerFiles(environment),
});
