// The command line: what its package's bin loads.
import process from 'node:process';
import { variableOf } from '../src/cli/commands.ts';
import { isInContainer } from '../src/cli/container.ts';
import { siteDeploy } from '../src/cli/site-deploy.ts';

// Whoever read what it prints may be gone (`| head`): a run that has begun goes on, and its exit status tells its end.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const status = await siteDeploy(process.argv.slice(2), {
  environment: process.env,
  folder: process.cwd(),
  isInContainer: isInContainer(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  emulator: async (args) => {
    const { runEmulator } = await import('../scripts/player/emulator.ts');
    return await runEmulator(args, (inputs) => {
      const given = Object.entries(inputs).map(([name, value]) => `${variableOf(name)}=${value}`);
      return `${given.join(' ')} site-deploy deploy --commit-sha HEAD`;
    });
  },
});
// Ends the process once all output is written, even if requests are pending.
process.stdout.write('', () => process.stderr.write('', () => process.exit(status)));
