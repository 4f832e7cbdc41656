import { parse } from 'yaml';
import { isFree, type Source } from '../../emulator/workflow/sources.ts';
import type { ActionDefinition } from '../../src/inputs/input.ts';
import { type ActionName, actions } from '../../src/inputs.ts';
import { asObject } from '../../src/kernel/json.ts';
import type { Scene } from '../player/play.ts';
import { UsageError } from '../player/usage-error.ts';
import type { Request } from './arguments.ts';

/** What the local world has for an input that is named without a value. */
const worldsOwn: Readonly<Record<string, (scene: Scene) => string>> = {
  'api-key': ({ emulator }) => emulator.key,
  'base-url': ({ emulator }) => emulator.url,
  'project-id': ({ project }) => project.id,
  'preview-projects': ({ emulator }) => emulator.world.projects.map(({ id }) => id).join('\n'),
  'git-url': ({ emulator }) => `${emulator.url}/git/{projectId}.git`,
  'git-token': ({ emulator }) => emulator.gitToken,
  'verify-url': ({ project }) => project.sitePathUrl,
  'preview-domain': () => 'pr-{number}.preview.example.com',
  'env-from': () => 'STRIPE_KEY',
  content: () => 'Make the headline blue.',
  check: () => 'a-new-site.com',
  create: () => 'true',
};

/** Inputs that an action cannot do without, beside the service's address, key and project. */
const needed: Readonly<Partial<Record<ActionName, readonly string[]>>> = {
  'env-sync': ['env-from'],
  message: ['content'],
};

/**
 * The inputs of a step: those that were given, those that its end needs, and what the action cannot do without.
 *
 * @throws UsageError for an input that the local world has nothing for
 */
export function fillIn(
  { action, inputs, own, real }: Request,
  forEnd: Readonly<Record<string, string>>,
  scene: Scene,
): Record<string, string> {
  if (real) return inputs;
  const definition: ActionDefinition = actions[action];
  const isDeclared = ['env', 'env-from', 'env-file', 'config'].some((name) => name in inputs);
  const wanted = [...own, ...(isDeclared ? [] : (needed[action] ?? []))];
  if ('git-url' in inputs || own.includes('git-url')) wanted.push('git-token');
  const filled: Record<string, string> = {};
  for (const name of wanted) {
    const value = worldsOwn[name];
    if (value === undefined) {
      const names = Object.keys(worldsOwn).filter((one) => one in definition.inputs);
      throw new UsageError(
        `${name} needs a value: ${name}=…; the emulator provides one for ${names.join(', ')}`,
      );
    }
    filled[name] = value(scene);
  }
  const fromEnd = Object.entries(forEnd).filter(([name]) => name in definition.inputs);
  return { ...filled, ...Object.fromEntries(fromEnd), ...inputs };
}

/** The names that a site file's section lists; none if it is no such file, which the action itself says best. */
function sectionOf(siteFile: string, section: string): [string, unknown][] {
  try {
    return Object.entries(asObject(asObject(parse(siteFile))?.[section]) ?? {});
  } catch {
    return [];
  }
}

/** The registered domains that a site file is about. */
export const registeredIn = (siteFile: string): string[] =>
  sectionOf(siteFile, 'registered-domains').map(([name]) => name);

/** The step's environment: from the shell, or else plainly fake, unless nothing is to be invented; without what programs read. */
export function stepEnvironment(
  sources: readonly Source[],
  shell: Readonly<Record<string, string | undefined>>,
  real: boolean,
): { env: Record<string, string>; fake: string[]; left: string[] } {
  const env: Record<string, string> = {};
  const fake: string[] = [];
  const names = [...new Set(sources.map(({ source }) => source))];
  for (const source of names.filter(isFree)) {
    const value = shell[source];
    if (value) env[source] = value;
    else if (!real) {
      fake.push(source);
      env[source] = `fake-value-of-${source.toLowerCase()}`;
    }
  }
  return { env, fake, left: names.filter((name) => !isFree(name)) };
}
