import { variableOf } from '../commands.ts';
import { previewSecret } from '../secret-names.ts';
import type { Origin, Settings } from './settings.ts';

/** A word of a command line, as a shell reads it. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** The option of `gh` that names the repository; empty if it is not known, or not in its form. */
function repositoryOption({ serverUrl, repository }: Origin): string {
  const { hostname } = URL.parse(serverUrl) ?? { hostname: '' };
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository) || !/^[\w.-]+$/.test(hostname)) return '';
  return ` --repo ${hostname === 'github.com' ? '' : `${hostname}/`}${repository}`;
}

/** The inputs that are variables on GitHub. */
const variables = [
  'base-url',
  'project-id',
  'git-url',
  'preview-projects',
  'preview-domain',
] as const satisfies (keyof Settings)[];

/** The commands that set what the workflows need. Secrets are in none of them: `gh` reads those from standard input. */
export function setCommands(
  settings: Settings,
  names: readonly string[],
  origin: Origin,
): string[] {
  const option = repositoryOption(origin);
  const secrets = ['SITE_API_KEY', 'SITE_GIT_TOKEN', ...names];
  if (settings['preview-domain'] !== undefined) secrets.push(...names.map(previewSecret));
  const commands = secrets.map((name) => `gh secret set ${name}${option}`);
  for (const input of variables) {
    const value = settings[input];
    if (value === undefined) continue;
    commands.push(
      `gh variable set ${variableOf(input)}${option} --body ${quoted(String(value).trim())}`,
    );
  }
  return commands;
}
