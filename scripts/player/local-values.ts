import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Play } from '../../emulator/workflow/play-workflow.ts';
import { itemsOf } from '../../src/input-schemas.ts';
import { parseDotenv } from '../../src/variables/model/source.ts';
import { here } from './given-file.ts';
import { UsageError } from './usage-error.ts';
import type { LocalWorld } from './world.ts';

/** Values by name. */
export type Values = Readonly<Record<string, string>>;

/** What a workflow is played with. */
export interface PlayValues {
  secrets: Values;
  vars: Values;
}

/** The values that the local world has for the names of the README and the examples. */
export function localValues({ emulator, project, projects }: LocalWorld): PlayValues {
  const others = [...projects.values()].filter(({ id }) => id !== project.id);
  return {
    secrets: { SITE_API_KEY: emulator.key, SITE_GIT_TOKEN: emulator.gitToken },
    vars: {
      SITE_BASE_URL: emulator.url,
      SITE_PROJECT_ID: project.id,
      SITE_GIT_URL: `${emulator.url}/git/{projectId}.git`,
      SITE_URL: project.siteUrl,
      SITE_PREVIEW_PROJECTS: others.map(({ id }) => id).join('\n'),
      SITE_PREVIEW_DOMAIN: 'pr-{number}.preview.localhost',
      SITE_SERVICE: '',
    },
  };
}

/** A value for what nobody gave, which is plainly not real. */
export const inventValue = (name: string): string =>
  `fake-${name.toLowerCase().replaceAll('_', '-')}`;

/**
 * Reads a dotenv file that an option names.
 * @throws UsageError if it cannot be read, or a line is wrong; a value is never quoted
 */
export async function readValues(
  option: 'secrets' | 'vars',
  path: string | undefined,
): Promise<Values> {
  if (path === undefined) return {};
  const source = await readFile(resolve(here, path), 'utf8').catch(() => {
    throw new UsageError(`--${option}: can't read the file ${path}`);
  });
  const { entries, problems } = parseDotenv(source);
  if (problems.length > 0) {
    const lines = problems.map(({ line, message }) => `${path}, line ${line}: ${message}`);
    throw new UsageError(lines.join('\n'));
  }
  return Object.fromEntries(entries.map(({ name, value }) => [name, value]));
}

/** Why a step must not run: it would send what is played to something that is not the local world. */
export function refuseElsewhere(url: string): NonNullable<Play['refuse']> {
  const own = new URL(url).origin;
  return ({ 'base-url': baseUrl = '', 'git-url': gitUrl = '' }) => {
    const base = URL.parse(baseUrl);
    if (base !== null && base.origin !== own) {
      return `base-url: ${base.host} is not the emulator, whose URL is ${own}. Nothing was sent.`;
    }
    const isElsewhere = itemsOf(gitUrl)
      .map((line) => URL.parse(line.replace(/^[^\s=:/]+\s*=\s*/, '')))
      .some((address) => address?.origin !== own);
    return isElsewhere
      ? `git-url: must be at the emulator, whose URL is ${own}. Nothing was sent.`
      : undefined;
  };
}
