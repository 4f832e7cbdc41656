import { type DialectOptions, type EmulatedProject, startEmulator } from '../../emulator/index.ts';
import type { RunOptions } from '../../emulator/runner.ts';
import { runStep, startStep } from './run-step.ts';

export const preview = 'next.localhost';
export const www = 'www.localhost';
export const shop = 'shop.localhost';

/** Two projects of which blue serves two domains, and steps that swap them. */
export async function startSwapping(dialect: DialectOptions = {}) {
  const emulator = await startEmulator({ dialect });
  const blue = await emulator.world.createProject();
  const green = await emulator.world.createProject();
  for (const name of [www, shop, preview]) emulator.world.connectDomain(name, blue.id);
  const inputs = {
    'project-id': '',
    'commit-sha': 'HEAD',
    'swap-projects': `${blue.id}\n${green.id}`,
    'swap-domains': `${www}, ${shop}`,
    'preview-domain': preview,
    'verify-url': `http://{preview-domain}:${new URL(emulator.url).port}/`,
    'verify-timeout': '5s',
  };
  const filled = (options: Partial<RunOptions>) => ({
    ...options,
    inputs: { ...inputs, ...options.inputs },
  });
  const nameOf = (project: EmulatedProject | string | null) => {
    const id = typeof project === 'string' || project === null ? project : project.id;
    return id === null ? 'none' : id === blue.id ? 'blue' : id === green.id ? 'green' : id;
  };
  return {
    emulator,
    blue,
    green,
    inputs,
    start: (options: Partial<RunOptions> = {}) => startStep(emulator, blue, filled(options)),
    run: (options: Partial<RunOptions> = {}) => runStep(emulator, blue, filled(options)),
    slots: () =>
      Object.fromEntries(
        emulator.world.domains.all.map(({ hostname, projectId }) => [hostname, nameOf(projectId)]),
      ),
    [Symbol.asyncDispose]: () => emulator.close(),
  };
}
