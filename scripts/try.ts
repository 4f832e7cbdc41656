// Plays one of the actions as a runner would, against the local world, and shows what people would see.
import process from 'node:process';
import { UsageError } from './player/usage-error.ts';
import { readRequest } from './try/arguments.ts';
import { dialectHelp, help } from './try/help.ts';
import { play } from './try/play.ts';

// Whoever reads only the beginning (head, less) ends nothing by that.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  const args = process.argv.slice(2);
  const request = readRequest(args);
  if (request === null) console.log(args.includes('dialect') ? dialectHelp() : help());
  else {
    // The step is cancelled, as the runner does it, and what comes after it runs; a second Ctrl-C ends all at once.
    const stop = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        console.error(`Canceling the run. Press Ctrl-C again to end at once.`);
        stop.abort();
      });
    }
    const status = await play(request, { print: console.log, signal: stop.signal });
    process.exitCode = stop.signal.aborted ? 130 : status;
  }
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
