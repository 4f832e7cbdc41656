import { once } from 'node:events';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type EmulatedProject, type Emulator, startEmulator } from './index.ts';

const usage = `Starts a local emulator of the site service with one project.

  --port <number>      the port to listen on (default: a free one)
  --build-ms <number>  how long a deployment takes, in milliseconds (default: 3000)
  --help               shows this text
`;

const options = {
  port: { type: 'string', default: '0' },
  'build-ms': { type: 'string', default: '3000' },
  help: { type: 'boolean', default: false },
} as const;

const wholeNumber = (name: string, max: number) =>
  z
    .string()
    .transform((text) => (/^\d+$/.test(text) ? Number(text) : Number.NaN))
    .refine((value) => value <= max, `${name} must be a whole number from 0 to ${max}`);

const settings = z.object({
  port: wholeNumber('--port', 65_535),
  'build-ms': wholeNumber('--build-ms', 3_600_000),
});

/** Runs the command line until it is told to stop. Gives the exit status. */
async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const { port, 'build-ms': buildMs } = settings.parse(values);
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await using emulator = await startEmulator({ port, dialect: { buildMs } });
  console.log(describe(emulator, await emulator.world.createProject('sample')));
  await stopped;
  return 0;
}

function describe({ url, key }: Emulator, { id, gitUrl, siteUrl }: EmulatedProject): string {
  const rows = [
    ['base URL', url],
    ['API key', key],
    ['project id', id],
    ['git URL', gitUrl],
    ['site', siteUrl],
  ] as const;
  const lines = rows.map(([name, value]) => `  ${name.padEnd(12)}${value}`);
  return ['', ...lines, '', 'Press Ctrl+C to stop. Nothing is kept.', ''].join('\n');
}

/** What is wrong, in one line for each problem. */
function explain(error: unknown): string {
  if (error instanceof z.ZodError) return error.issues.map(({ message }) => message).join('\n');
  return error instanceof Error ? error.message : String(error);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(`${explain(error)}\n\n${usage}`);
  process.exitCode = 2;
}
