// Plays the main jobs of the actions against the local world: real commits, pushed to real repositories, deployed by
// dist/. Each scene says what it shows, and checks it.
import process from 'node:process';
import { styleText } from 'node:util';
import { startEmulator } from '../emulator/index.ts';
import { playChecks } from './demo/checks.ts';
import { playEnvironmentSync } from './demo/env-sync.ts';
import { playExplanation } from './demo/explain.ts';
import { playMainJob } from './demo/main-job.ts';
import { playNeverBackwards } from './demo/never-backwards.ts';
import { nextCommands } from './demo/next.ts';
import { playPullRequest } from './demo/pull-request.ts';
import { playRollBack } from './demo/roll-back.ts';
import { failed, waitForEnter } from './demo/stage.ts';

if (process.argv.length > 2) {
  console.error('npm run demo takes no arguments: npm run try plays what you choose');
  process.exit(2);
}

await using emulator = await startEmulator({
  dialect: {
    buildMs: 600,
    verifyMs: 400,
    deploymentWords: { steps: ['building', 'uploading'] },
    stream: { logLines: ['Installing 3 packages', 'Building 2 pages', 'Optimizing 1 style sheet'] },
  },
});
console.log(`\nA site service at ${emulator.url}, and a GitHub, both on this machine.`);
console.log('Ten scenes, in about half a minute. Each step runs as GitHub would run it.');
await playMainJob(emulator);
await using pullRequest = await playPullRequest(emulator);
await playEnvironmentSync(emulator);
await playChecks(emulator);
await playExplanation(emulator);
await playRollBack(emulator);
await playNeverBackwards(emulator);
await waitForEnter(
  `The preview is still live: ${pullRequest.address}\nPress Enter to close the pull request.`,
);
await pullRequest.close();

console.log(`\n${styleText('bold', 'Three commands to try next')}`);
for (const { command, what } of nextCommands) {
  console.log(`  ${command}\n    ${styleText('dim', what)}`);
}
if (failed() > 0) {
  console.log(styleText('red', `\n${failed()} of the statements above are not true (✗)`));
  process.exitCode = 1;
}
