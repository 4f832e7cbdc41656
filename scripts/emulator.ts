// Starts the local world, and keeps it until it is told to stop.
import process from 'node:process';
import { runEmulator } from './player/emulator.ts';

process.exitCode = await runEmulator(process.argv.slice(2));
