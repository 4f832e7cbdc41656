// Plays the three main jobs, checks, mode: explain, a rollback, a late run and a blue-green deployment against the local world: real commits, pushed to real repositories, deployed by dist/.
import { startEmulator } from '../emulator/index.ts';
import { playBlueGreen } from './demo/blue-green.ts';
import { playChecks } from './demo/checks.ts';
import { playEnvironmentSync } from './demo/env-sync.ts';
import { playExplanation } from './demo/explain.ts';
import { playMainJob } from './demo/main-job.ts';
import { playNeverBackwards } from './demo/never-backwards.ts';
import { playPullRequest } from './demo/pull-request.ts';
import { playRollBack } from './demo/roll-back.ts';
import { failed } from './demo/stage.ts';

await using emulator = await startEmulator({
  dialect: {
    buildMs: 3000,
    verifyMs: 1500,
    deploymentWords: { steps: ['building', 'uploading'] },
    stream: { logLines: ['Installing 3 packages', 'Building 2 pages', 'Optimizing 1 style sheet'] },
  },
});
await playMainJob(emulator);
await playPullRequest(emulator);
await playEnvironmentSync(emulator);
await playChecks(emulator);
await playExplanation(emulator);
await playRollBack(emulator);
await playNeverBackwards(emulator);
await playBlueGreen(emulator);
if (failed() > 0) process.exitCode = 1;
