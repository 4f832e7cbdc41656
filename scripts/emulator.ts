// Starts the local world, and keeps it until it is told to stop.
import process from 'node:process';
import { runEmulator } from './player/emulator.ts';

process.exitCode = await runEmulator(process.argv.slice(2), (inputs) => {
  const given = Object.entries(inputs).map(([name, value]) => `${name}=${value}`);
  return `npm run try -- deploy ${given.join(' ')} commit-sha=HEAD`;
});
