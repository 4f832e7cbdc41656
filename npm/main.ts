// The command line: what its package's bin loads.
import process from 'node:process';
import { siteDeploy } from '../src/cli/site-deploy.ts';

const status = await siteDeploy(process.argv.slice(2), {
  environment: process.env,
  folder: process.cwd(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  emulator: async (args) => {
    const { runEmulator } = await import('../scripts/player/emulator.ts');
    return await runEmulator(args);
  },
});
// Ends the process once all output is written, even if requests are pending.
process.stdout.write('', () => process.stderr.write('', () => process.exit(status)));
